extension SimpleMailbox: CustomStringConvertible {
  /// The type, whether there is a value, and the number of tasks that wait for one.
  public var description: String {
    let waits = state.withLock { $0.queue?.count ?? 0 }
    let waiting = waits > 0 ? ", \(counted(waits, "task")) waiting" : ""
    return "\(Self.self), \(hasValue ? "full" : "empty")\(waiting)"
  }
}

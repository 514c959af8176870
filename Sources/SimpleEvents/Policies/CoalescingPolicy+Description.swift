extension CoalescingPolicy: CustomStringConvertible {
  /// The policy in words.
  ///
  /// For example `debounce 200 ms, at most 2 s`. Edges are named only if they are not the default edges.
  public var description: String {
    guard !edges.isEmpty else { return "never" }
    guard interval > 0 else { return "next turn" }
    let length = Duration.nanoseconds(interval).short
    if traits.contains(.slides) {
      let limit = maxWait < .max ? ", at most \(Duration.nanoseconds(maxWait).short)" : ""
      return "debounce \(length)\(limit)\(describe(unless: .trailing))"
    }
    if traits.contains(.reopens) { return "throttle \(length)\(describe(unless: [.leading, .trailing]))" }
    return traits.contains(.isPaced) ? "sample \(length)" : "audit \(length)"
  }

  private func describe(unless usual: Edges) -> String {
    guard edges != usual else { return "" }
    if edges == [.leading, .trailing] { return ", leading and trailing" }
    return edges == .leading ? ", leading" : ", trailing"
  }
}

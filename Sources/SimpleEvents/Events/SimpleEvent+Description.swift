extension SimpleEvent: CustomDebugStringConvertible {
  /// The event's type and label, and its live observers in order: their types and, in debug builds, origins.
  ///
  /// - Complexity: O(n).
  public var debugDescription: String { list.description(of: Self.self) }
}

extension Timeline {
  /// An event or a delivery.
  public struct Mark: Sendable, Hashable {
    /// The instant, measured from the beginning of the drawing.
    public var time: Duration
    /// The name; empty for none. A drawing as text shows a name only if the name has one character.
    public var label: String

    /// Creates a mark.
    ///
    /// - Parameters:
    ///   - time: The instant, measured from the beginning of the drawing.
    ///   - label: The name; empty for none.
    public init(time: Duration, label: String = "") {
      self.time = time
      self.label = label
    }

    /// Returns the name of an event: a letter for each of the first 52 events, a number for each later event.
    static func name(_ index: Int) -> String {
      let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
      return index < letters.count ? String(letters[index]) : String(index + 1)
    }
  }
}

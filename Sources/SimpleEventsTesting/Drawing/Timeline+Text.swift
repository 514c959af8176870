extension Timeline: CustomStringConvertible {
  /// The drawing as text, 100 columns wide.
  public var description: String { text() }

  /// The drawing as text: a line with instants, and a line for each row.
  ///
  /// A mark is its label if that is one character. Several marks in one column are their number.
  ///
  /// - Parameters:
  ///   - width: The largest number of columns, as far as the titles leave room for 20.
  ///   - isASCII: Whether only characters of ASCII are used: `-` for a row, `=` for a window, `o` for a mark.
  ///   - hasColor: Whether marks and windows are coloured by control sequences of terminals.
  public func text(width: Int = 100, isASCII: Bool = false, hasColor: Bool = false) -> String {
    let margin = (rows.map(\.title.count).max() ?? 0) + 2
    let scale = TextScale(of: end, columns: max(20, width - margin))
    var text = String(repeating: " ", count: margin) + scale.axis
    for row in rows {
      text += "\n" + row.title + String(repeating: " ", count: margin - row.title.count)
      text += TimelineTextRow(row, scale, isASCII: isASCII).text(hasColor: hasColor)
    }
    return text
  }
}

extension Timeline: CustomStringConvertible {
  /// The drawing as text, 100 columns wide.
  public var description: String { text() }

  /// The drawing as text: a line with instants, and a line for each row.
  ///
  /// If the titles leave less than 20 columns, each title has a line of its own above its row, and is cut if
  /// it is too long. A mark whose label has one character is drawn as its label. Several marks in one column
  /// are drawn as their number, or as `+` if there are more than nine.
  ///
  /// - Parameters:
  ///   - width: The largest number of columns, at least five.
  ///   - isASCII: Whether the drawing uses ASCII characters: `-` for rows, `=` for windows, and `o` for marks
  ///     without a label of one character.
  ///   - hasColor: Whether marks and windows are coloured by control sequences for terminals.
  public func text(width: Int = 100, isASCII: Bool = false, hasColor: Bool = false) -> String {
    let margin = (rows.map(\.title.count).max() ?? 0) + 2
    let width = max(5, width)
    let hasMargin = width - margin >= 20
    let scale = TextScale(of: end, columns: hasMargin ? width - margin : width)
    var text = String(repeating: " ", count: hasMargin ? margin : 0) + scale.axis
    for row in rows {
      let title = row.title.prefix(width)
      text += "\n" + title + (hasMargin ? String(repeating: " ", count: margin - title.count) : "\n")
      text += TimelineTextRow(row, scale, isASCII: isASCII).text(hasColor: hasColor)
    }
    return text
  }
}

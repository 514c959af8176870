/// The characters of one row of text.
struct TimelineTextRow {
  private enum Style {
    case line, window, event, delivery

    /// The parameters of the control sequence; nil if there are none.
    var code: String? {
      switch self {
      case .line: nil
      case .window: "33"
      case .event: "36"
      case .delivery: "1;32"
      }
    }
  }

  private var cells: [(character: Character, style: Style)]

  init(_ row: Timeline.Row, _ scale: TextScale, isASCII: Bool) {
    cells = Array(repeating: (isASCII ? "-" : "─", .line), count: scale.count)
    for window in row.windows {
      let columns = scale.column(of: window.lowerBound)..<scale.column(of: window.upperBound)
      for column in columns.clamped(to: cells.indices) {
        cells[column] = (isASCII ? "=" : "░", .window)
      }
    }
    let groups = Dictionary(grouping: row.marks) { scale.column(of: $0.time) }
    for (column, marks) in groups {
      cells[column] = (Self.character(marks, isASCII), row.isPolicy ? .delivery : .event)
    }
  }

  func text(hasColor: Bool) -> String {
    var text = ""
    var style = Style.line
    for cell in cells {
      if hasColor && cell.style != style {
        text += "\u{1B}[\(cell.style.code ?? "")m"
        style = cell.style
      }
      text.append(cell.character)
    }
    return hasColor && style != .line ? text + "\u{1B}[m" : text
  }

  private static func character(_ marks: [Timeline.Mark], _ isASCII: Bool) -> Character {
    if marks.count > 1 { return marks.count > 9 ? "+" : Character(String(marks.count)) }
    let label = marks[0].label
    return label.count == 1 ? Character(label) : isASCII ? "o" : "●"
  }
}

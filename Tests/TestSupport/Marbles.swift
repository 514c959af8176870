/// A line of text that shows marks at instants. Each column is one unit of time.
///
///     -a--(bc)----d--|
///
/// A `-` is a column without a mark; every other character is a mark. Marks in parentheses all have the
/// instant of the opening parenthesis. By convention `|` is the end of a sequence, `#` an error, and `!` the
/// removal of a subscriber.
package struct Marbles: Sendable, Hashable {
  package struct Mark: Sendable, Hashable {
    package var column: Int
    package var symbol: Character

    package init(_ column: Int, _ symbol: Character) {
      self.column = column
      self.symbol = symbol
    }
  }

  /// The marks in order of time.
  package var marks: [Mark]

  package init(_ marks: [Mark]) { self.marks = marks }

  /// Parses a line.
  package init(_ line: some StringProtocol) {
    marks = []
    var group: Int?
    for (column, character) in line.enumerated() {
      switch character {
      case "-": break
      case "(": group = column
      case ")": group = nil
      default: marks.append(Mark(group ?? column, character))
      }
    }
  }
}

extension Marbles: CustomStringConvertible {
  /// The line of the marks, or a list of the marks if a group of marks would cover a later mark.
  package var description: String {
    var line = ""
    var rest = marks[...]
    while let first = rest.first {
      let group = rest.prefix { $0.column == first.column }
      guard line.count <= first.column else {
        return marks.map { "\($0.column) \($0.symbol)" }.joined(separator: ", ")
      }
      let symbols = String(group.map(\.symbol))
      line += String(repeating: "-", count: first.column - line.count)
      line += group.count == 1 ? symbols : "(\(symbols))"
      rest = rest.dropFirst(group.count)
    }
    return line
  }
}

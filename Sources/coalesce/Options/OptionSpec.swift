/// An option of the command line. The parser, the help, the man page and the completions are made from it.
package struct OptionSpec: Sendable {
  /// The form of the value of an option.
  package enum Value: Sendable {
    /// A time with a unit.
    case time
    /// A number of bytes, or the word `none`.
    case size
    /// One word of a list.
    case word(name: String, [String])
    /// Several words of a list, separated by commas.
    case words(name: String, [String])
    /// A number from one to a limit.
    case count(limit: Int)
    /// The number of a field, or zero.
    case field
    /// One ASCII character.
    case character
    /// A rate: a number of runs in a period.
    case rate
    /// Instants, separated by commas.
    case instants
    /// The path of a file.
    case file

    /// The name of the value in the help.
    package var name: String {
      switch self {
      case .time: "TIME"
      case .size: "BYTES"
      case .count: "N"
      case .field: "FIELD"
      case .character: "CHAR"
      case .rate: "N/TIME"
      case .word(let name, _), .words(let name, _): name
      case .instants: "TIMES"
      case .file: "FILE"
      }
    }
  }

  package var name: String
  /// The option's value; nil for an option without one.
  package var value: Value?
  /// The help's description of the option, one or two lines.
  package var brief: String
  /// Sentences that the man page adds to the description of the help.
  package var detail: String = ""

  /// The option with its value, as in `--debounce TIME`.
  package var form: String { value.map { "\(name) \($0.name)" } ?? name }

  /// Returns the error for a missing or wrong value.
  func error(_ word: String?) -> UsageError {
    let given = word.map { "\(name) \($0)" } ?? name
    return switch value {
    case .time: UsageError("\(given): give a time in \(Quantity.units), as in \(name) 200ms")
    case .size: UsageError("\(given): give a number of bytes from 1 to 2^63 - 1, as in \(name) 64K, or none")
    case .count(let limit): UsageError("\(given): give a number from 1 to \(limit), as in \(name) 4")
    case .field:
      UsageError("\(given): give the number of a field, as in \(name) 1, or 0 for the whole line")
    case .character: UsageError("\(given): give one ASCII character, as in \(name) :, or \\t for a tab")
    case .rate:
      UsageError(
        "\(given): give a number per time, at most one per nanosecond, as in \(name) 10/s or \(name) 1/500ms")
    case .word(_, let words), .words(_, let words):
      UsageError("\(given): give one of \(words.joined(separator: ", "))")
    case .instants:
      UsageError(
        "\(given): give times in \(Quantity.units), as in \(name) 0,40ms,80ms, up to \(Quantity.latest)")
    case .file: UsageError("\(given): give the path of a file")
    case nil: UsageError("\(given) takes no value")
    }
  }
}

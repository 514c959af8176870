/// An option of the command line. Parser, help and man page are made from it.
package struct OptionSpec: Sendable {
  package var name: String
  /// The name of the option's value; nil for an option without one.
  package var value: String?
  /// The words that the value may be, or an example of one.
  var words: [String] = []
  /// One or two lines for the help.
  package var brief: String
  /// Sentences that the man page has behind those of the help.
  package var detail: String = ""

  /// The option with its value, as in `--debounce TIME`.
  package var form: String { value.map { "\(name) \($0)" } ?? name }

  /// The error of a missing or wrong value.
  func error(_ word: String?) -> UsageError {
    let given = word.map { "\(name) \($0)" } ?? name
    return switch value {
    case "TIME": UsageError("\(given): give a time with a unit, as in \(name) 200ms")
    case "BYTES": UsageError("\(given): give a number of bytes of at least 1, as in \(name) 64K")
    default: UsageError("\(given): give \(words.count > 1 ? "one of " : "")\(words.joined(separator: ", "))")
    }
  }
}

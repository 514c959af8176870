/// An error in the command line.
package struct UsageError: Error, Equatable {
  /// The exit status after a usage error: `EX_USAGE` of `sysexits.h`.
  package static let status: Int32 = 64

  /// A description of the error in one line, without the name of the program.
  package var message: String
  /// The command that prints the help about the correct use.
  package var help: String = "coalesce --help"

  package init(_ message: String) {
    self.message = message
  }

  /// The lines for standard error.
  package var text: String { "coalesce: \(message)\nTry '\(help)'.\n" }
}

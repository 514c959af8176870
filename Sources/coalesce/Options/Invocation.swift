/// A parsed command line.
package enum Invocation: Equatable {
  /// Print a text.
  case text(String)
  /// Coalesce the lines of standard input.
  case filter(FilterSettings)
  /// Draw policies.
  case timeline(TimelineSettings)

  /// Parses a command line.
  ///
  /// - Parameter arguments: The words of the command line, without the name of the program.
  package static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    if arguments.first == "timeline" {
      do {
        return try TimelineSettings.parse(arguments.dropFirst())
      } catch {
        var error = error
        error.help = "coalesce timeline --help"
        throw error
      }
    }
    return try FilterSettings.parse(arguments[...])
  }
}

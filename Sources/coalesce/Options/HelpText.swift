/// The texts of `--help`, made from the table of options.
package enum HelpText {
  package static let version: String = "1.0"

  /// Examples of commands, with their descriptions for the man page.
  package static let examples: [(command: String, sentence: String)] = [
    (
      "inotifywait -mr -e close_write src | coalesce --debounce 200ms -- swift build",
      "Build when no file below src has been written for 200 milliseconds."
    ),
    (
      "fswatch -r src | coalesce --debounce 200ms --settle 1s --now -- make",
      """
      The same with fswatch as the watcher, as on macOS. It also builds at the start, and not for files that \
      the build itself writes into src.
      """
    ),
    ("tail -f app.log | coalesce --throttle 1s", "Show the newest line of a log, at most once a second."),
    (
      "tail -f access.log | coalesce --throttle 1s --count",
      "Show the number of new requests, at most once a second."
    ),
    (
      "fswatch -r src | coalesce --by 0 --debounce 1s --jobs 4 -- ./check {}",
      "Check each file when it has not been written for a second, at most four files at the same time."
    ),
  ]

  package static let filter: String =
    """
    usage: coalesce [OPTION]... [-- COMMAND [ARG]...]
    Each line of standard input is a signal. A delivery writes the newest line, or
    runs COMMAND, without overlap. TIME has a unit: ns us ms s (default) m min h d.

    """
    + (OptionSpec.policies + OptionSpec.keys + OptionSpec.outputs + OptionSpec.commands + OptionSpec.reports)
    .map(entry).joined()
      + """
        --help, --man, --version, --completions bash|zsh|fish
      COMMAND has COALESCE_LAST (the newest line), COALESCE_COUNT (of lines),
      COALESCE_DROPPED and COALESCE_KEY (of --by) in its environment. The status is
      that of its last run, 1 if input or output fails, 64 for a wrong option, 126 or
      127 if COMMAND cannot be started, 128 + n after signal n; see --man, and
      coalesce timeline --help.

      """
    + examples.map { "\($0.command)\n" }.joined()

  package static let timeline: String =
    """
    usage: coalesce timeline [OPTION]...
    Draws the deliveries of the policies for given events, in virtual time. A
    delivery has the name of its newest event; windows are shaded. TIME has a unit:
    ns us ms s (default) m min h d. NO_COLOR, TERM=dumb and LC_ALL=C are respected.

    """
    + OptionSpec.timeline.map(entry).joined()
    + "The policies are\n"
    + wrapped(PolicyRow.allCases.map(\.rawValue).joined(separator: ", "), column: 2, from: 0)
    + "coalesce timeline --events 0,40ms,80ms,300ms --svg policies.svg\n"

  /// Returns the lines about an option, in two columns.
  private static func entry(_ spec: OptionSpec) -> String {
    let column = 20
    let form = "  \(spec.form)"
    let padding = String(repeating: " ", count: max(1, column - form.count))
    return form + padding + wrapped(spec.brief, column: column, from: column)
  }

  /// Breaks a text into lines that begin at a column and have fewer than 80 columns.
  ///
  /// - Parameters:
  ///   - text: The words, separated by spaces.
  ///   - column: The number of spaces before each line.
  ///   - start: The number of columns that are already filled in the first line.
  private static func wrapped(_ text: String, column: Int, from start: Int) -> String {
    var result = String(repeating: " ", count: max(0, column - start))
    var length = column
    for word in text.split(separator: " ") {
      if length > column && length + 1 + word.count > 79 {
        result += "\n" + String(repeating: " ", count: column)
        length = column
      }
      result += length > column ? " \(word)" : String(word)
      length += word.count + (length > column ? 1 : 0)
    }
    return result + "\n"
  }
}

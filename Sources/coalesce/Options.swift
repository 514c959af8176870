package import SimpleEvents

/// A parsed command line.
package enum Options: Equatable {
  /// Print the usage.
  case help
  /// Copy lines by a policy.
  case filter(CoalescingPolicy)

  /// An error in the command line.
  package struct UsageError: Error, Equatable {
    /// One line, without the name of the program.
    package var message: String
  }

  /// The exit status after an error in the command line: `EX_USAGE` of `sysexits.h`.
  package static let usageStatus: Int32 = 64

  /// The text that `--help` prints.
  package static let usage: String = """
    usage: coalesce POLICY [OPTION]...
    Copies lines from standard input to standard output. The policy decides when to write a line. Of the
    lines that have come by then, only the newest is written. At the end of the input, a pending line is
    written.

    policies:
      --debounce TIME   write a line when no other has come for TIME
      --throttle TIME   write the first line at once, then at most one line in each TIME
      --audit TIME      write a line TIME after the first one has come
      --next-turn       write a line as soon as the one before has been written

    options:
      --max-wait TIME   with --debounce: write a line after TIME even if lines keep coming
      --edges EDGES     with --debounce and --throttle: leading writes the first line at once, trailing writes
                        the newest line at the end of TIME, both does both
      -h, --help        print this text

    TIME is a number with a unit: ms, s, m or h, as in 200ms, 1.5s, 2m.

    """

  /// Parses a command line.
  ///
  /// - Parameter arguments: The arguments, without the name of the program.
  package static func parse(_ arguments: some Sequence<String>) throws(UsageError) -> Options {
    var words = Array(arguments)[...]
    var policy: (name: String, interval: Duration)?
    var maxWait: Duration?
    var edges: CoalescingPolicy.Edges?
    while let word = words.popFirst() {
      switch word {
      case "--help", "-h":
        return .help
      case "--debounce", "--throttle", "--audit", "--next-turn":
        if let policy {
          throw UsageError(message: "\(policy.name) and \(word) exclude each other")
        }
        policy = (word, word == "--next-turn" ? .zero : try duration(of: word, words.popFirst()))
      case "--max-wait":
        maxWait = try duration(of: word, words.popFirst())
      case "--edges":
        edges = try self.edges(words.popFirst())
      default:
        throw UsageError(message: "unknown argument \(word)")
      }
    }
    guard let policy else {
      throw UsageError(message: "which policy? give one of --debounce, --throttle, --audit, --next-turn")
    }
    if maxWait != nil && policy.name != "--debounce" {
      throw UsageError(message: "--max-wait goes with --debounce only")
    }
    switch policy.name {
    case "--debounce":
      return .filter(.debounce(policy.interval, maxWait: maxWait, edges: edges ?? .trailing))
    case "--throttle":
      return .filter(.throttle(policy.interval, edges: edges ?? [.leading, .trailing]))
    default:
      if edges != nil {
        throw UsageError(message: "--edges goes with --debounce and --throttle only")
      }
      return .filter(policy.name == "--audit" ? .audit(policy.interval) : .nextTurn)
    }
  }

  private static func duration(of option: String, _ word: String?) throws(UsageError) -> Duration {
    guard let word else {
      throw UsageError(message: "\(option) needs a time, as in \(option) 200ms")
    }
    let number = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let units = ["ms": 1e-3, "s": 1, "m": 60, "h": 3600]
    guard let value = Double(String(number)), let unit = units[String(word.dropFirst(number.count))] else {
      throw UsageError(message: "\(option) \(word): a time is a number with a unit, as in 200ms, 1.5s, 2m")
    }
    return .nanoseconds(Int64(exactly: (value * unit * 1e9).rounded()) ?? .max)
  }

  private static func edges(_ word: String?) throws(UsageError) -> CoalescingPolicy.Edges {
    switch word {
    case "leading": .leading
    case "trailing": .trailing
    case "both": [.leading, .trailing]
    default: throw UsageError(message: "--edges needs one of leading, trailing, both")
    }
  }
}

package import SimpleEvents

/// What the command line asks for.
package enum Options: Equatable {
  case help
  case filter(CoalescingPolicy)

  package struct UsageError: Error, Equatable {
    package var message: String
  }

  /// `EX_USAGE` of sysexits: the command was used incorrectly.
  package static let usageStatus: Int32 = 64

  package static let usage: String = """
    usage: coalesce POLICY [OPTION]...
    Copies standard input to standard output, a line for each delivery: the newest one.
    At the end of input what is pending is written.

    policies:
      --debounce TIME   when no line has come for TIME
      --throttle TIME   the first line at once, then at most one each TIME
      --audit TIME      TIME after the first line, whatever comes in between
      --next-turn       as soon as the output keeps up

    options:
      --max-wait TIME   with --debounce: never put off a line for longer than TIME
      --edges EDGES     with --debounce and --throttle: leading, trailing or both
      --help            print this text

    TIME is a number with a unit, as in 200ms, 1.5s, 2m.

    """

  /// Reads the arguments, without the name of the program.
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

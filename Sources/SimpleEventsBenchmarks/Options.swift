/// The options of the command line.
struct Options {
  static let usage: String = """
    usage: SimpleEventsBenchmarks [OPTION]...
    Measures the library and its alternatives in the same run, in nanoseconds per operation.

    options:
      --filter NAME   measure only workloads whose name contains NAME
      --subject NAME  measure only subjects whose name contains NAME, for use with a profiler
      --json FILE     also write the results to FILE
      --svg FILE      draw the results that --json has written, and measure nothing
      --table FILE    write a table of the results that --json has written, and measure nothing
      --list          print the names of the workloads and measure nothing
      --quick         use small sizes and few repetitions: the counts are checked, the times mean nothing
      --check         exit with status 1 if a bar is missed; the summary names it
      --help          print this text

    The picture and the table go to the standard output if FILE is -. They show twelve operations, including
    those in which something else is faster.
    The exit status is 1 if a callback was not called as often as it must be, and 64 for a bad option.

    """

  /// An error in the command line.
  struct UsageError: Error {
    let message: String
  }

  private(set) var filter: String?
  private(set) var subject: String?
  private(set) var jsonPath: String?
  private(set) var svgPath: String?
  private(set) var tablePath: String?
  private(set) var lists: Bool = false
  private(set) var isQuick: Bool = false
  private(set) var checksBars: Bool = false
  private(set) var wantsHelp: Bool = false

  /// Whether to show the results of an earlier run instead of measuring.
  var showsResults: Bool { svgPath != nil || tablePath != nil }

  /// Reads the arguments, without the name of the program.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var words = Array(arguments)[...]
    while let word = words.popFirst() {
      switch word {
      case "--filter":
        filter = try Self.value(of: word, words.popFirst())
      case "--subject":
        subject = try Self.value(of: word, words.popFirst())
      case "--json":
        jsonPath = try Self.value(of: word, words.popFirst())
      case "--svg":
        svgPath = try Self.value(of: word, words.popFirst())
      case "--table":
        tablePath = try Self.value(of: word, words.popFirst())
      case "--list":
        lists = true
      case "--quick":
        isQuick = true
      case "--check":
        checksBars = true
      case "--help", "-h":
        wantsHelp = true
      default:
        throw UsageError(message: "unknown argument \(word)")
      }
    }
    if showsResults && jsonPath == nil {
      throw UsageError(message: "--svg and --table need --json with the results to show")
    }
    // Without bars to compare, a check would always succeed.
    if checksBars && (isQuick || subject != nil) {
      throw UsageError(message: "--check needs full sizes and all subjects")
    }
  }

  private static func value(of option: String, _ word: String?) throws(UsageError) -> String {
    guard let word else {
      throw UsageError(message: "\(option) needs a value")
    }
    return word
  }
}

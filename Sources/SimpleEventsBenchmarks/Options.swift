/// What the command line asks for.
struct Options {
  static let usage: String = """
    usage: SimpleEventsBenchmarks [OPTION]...
    Measures the library beside what a program would do without it, in nanoseconds an operation.

    options:
      --filter NAME   only the workloads whose name contains NAME
      --subject NAME  only the subjects whose name contains NAME, for a profiler's sake
      --json FILE     write the results to FILE as well
      --list          print the workloads' names, and measure nothing
      --quick         small sizes and few repetitions: checks the counts, and is no use for times
      --help          print this text

    The exit status is 1 if a callback was not called as often as it must be, and 64 for a bad option.

    """

  struct UsageError: Error {
    let message: String
  }

  private(set) var filter: String?
  private(set) var subject: String?
  private(set) var jsonPath: String?
  private(set) var lists: Bool = false
  private(set) var isQuick: Bool = false
  private(set) var wantsHelp: Bool = false

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
      case "--list":
        lists = true
      case "--quick":
        isQuick = true
      case "--help", "-h":
        wantsHelp = true
      default:
        throw UsageError(message: "unknown argument \(word)")
      }
    }
  }

  private static func value(of option: String, _ word: String?) throws(UsageError) -> String {
    guard let word else {
      throw UsageError(message: "\(option) needs a value")
    }
    return word
  }
}

import SimpleEvents
import Testing
import coalesce

@Suite struct OptionsTests {
  @Test(
    "Options: parses each policy",
    arguments: [
      ("--debounce 200ms", CoalescingPolicy.debounce(.milliseconds(200))),
      ("--debounce 1s --max-wait 2m", .debounce(.seconds(1), maxWait: .seconds(120))),
      ("--max-wait 2m --debounce 1s", .debounce(.seconds(1), maxWait: .seconds(120))),
      ("--debounce 1s --edges leading", .debounce(.seconds(1), edges: .leading)),
      ("--debounce 1s --edges trailing", .debounce(.seconds(1), edges: .trailing)),
      ("--edges both --debounce 1s", .debounce(.seconds(1), edges: [.leading, .trailing])),
      ("--throttle 1s", .throttle(.seconds(1))),
      ("--throttle 1s --edges leading", .throttle(.seconds(1), edges: .leading)),
      ("--throttle 1s --edges trailing", .throttle(.seconds(1), edges: .trailing)),
      ("--throttle 1s --edges both", .throttle(.seconds(1))),
      ("--audit 1s", .audit(.seconds(1))),
      ("--next-turn", .nextTurn),
    ])
  func policies(_ line: String, _ policy: CoalescingPolicy) throws {
    #expect(try parse(line) == .filter(policy))
  }

  @Test(
    "Options: parses a call for help",
    arguments: ["--help", "-h", "--debounce 1s --help", "--help --nonsense"])
  func help(_ line: String) throws {
    #expect(try parse(line) == .help)
  }

  @Test(
    "Options: parses times",
    arguments: [
      ("200ms", Duration.milliseconds(200)),
      ("1.5s", .milliseconds(1500)),
      (".5s", .milliseconds(500)),
      ("0.25ms", .microseconds(250)),
      ("2m", .seconds(120)),
      ("1h", .seconds(3600)),
      ("007s", .seconds(7)),
      ("99999999999999999999h", .nanoseconds(Int64.max)),
    ])
  func times(_ word: String, _ time: Duration) throws {
    #expect(try parse("--audit \(word)") == .filter(.audit(time)))
  }

  @Test("Options: a time of zero means the next turn")
  func zeroTime() throws {
    #expect(try parse("--debounce 0s") == .filter(.nextTurn))
  }

  @Test(
    "Options: refuses words that are not times",
    arguments: [
      "soon", "200", "ms", "s", ".", ".s", "1..5s", "-1s", "+1s", "1e3s", "1 s", "1sec", "1S", "infs", "nans",
      "１s", "½s",
    ])
  func wrongTimes(_ word: String) {
    #expect(message(["--throttle", word])?.hasPrefix("--throttle \(word): a time is") == true)
    #expect(
      message(["--debounce", "1s", "--max-wait", word])?.hasPrefix("--max-wait \(word): a time is") == true)
  }

  @Test(
    "Options: each error has its message",
    arguments: [
      ("", "which policy? give one of --debounce, --throttle, --audit, --next-turn"),
      ("--edges both", "which policy? give one of --debounce, --throttle, --audit, --next-turn"),
      ("--debounce", "--debounce needs a time, as in --debounce 200ms"),
      ("--throttle", "--throttle needs a time, as in --throttle 200ms"),
      ("--audit", "--audit needs a time, as in --audit 200ms"),
      ("--debounce 1s --max-wait", "--max-wait needs a time, as in --max-wait 200ms"),
      ("--debounce 1s --edges", "--edges needs one of leading, trailing, both"),
      ("--debounce 1s --edges none", "--edges needs one of leading, trailing, both"),
      ("--debounce 1s --audit 1s", "--debounce and --audit exclude each other"),
      ("--next-turn --throttle 1s", "--next-turn and --throttle exclude each other"),
      ("--throttle 1s --max-wait 2s", "--max-wait goes with --debounce only"),
      ("--audit 1s --max-wait 2s", "--max-wait goes with --debounce only"),
      ("--next-turn --max-wait 2s", "--max-wait goes with --debounce only"),
      ("--audit 1s --edges both", "--edges goes with --debounce and --throttle only"),
      ("--next-turn --edges both", "--edges goes with --debounce and --throttle only"),
      ("--debounce=1s", "unknown argument --debounce=1s"),
      ("--debounce 1s file", "unknown argument file"),
      ("--verbose", "unknown argument --verbose"),
    ])
  func messages(_ line: String, _ expected: String) {
    #expect(message(words(line)) == expected)
  }

  @Test("Options: the usage names every option")
  func usage() {
    for option in [
      "--debounce", "--throttle", "--audit", "--next-turn", "--max-wait", "--edges", "--help",
    ] {
      #expect(Options.usage.contains(option))
    }
  }

  private func parse(_ line: String) throws(Options.UsageError) -> Options {
    try Options.parse(words(line))
  }

  private func message(_ words: [String]) -> String? {
    do {
      _ = try Options.parse(words)
      return nil
    } catch {
      return error.message
    }
  }

  private func words(_ line: String) -> [String] {
    line.split(separator: " ").map(String.init)
  }
}

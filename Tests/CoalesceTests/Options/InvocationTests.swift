import SimpleEvents
import Testing
import coalesce

/// The parser of the command line.
struct InvocationTests {
  private static let units = "ns, us, ms, s, m, min, h or d"
  private static let giveInstants = "give times in \(units), as in --events 0,40ms,80ms, up to 36500d"

  @Test(
    "Invocation: parses each policy",
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
    #expect(try settings(line).policy == policy)
  }

  @Test(
    "Invocation: parses a request for help",
    arguments: ["--help", "-h", "--debounce 1s --help", "--help --nonsense", "--help -- swift build"])
  func help(_ line: String) throws {
    #expect(try parse(line) == .text(HelpText.filter))
  }

  @Test(
    "Invocation: parses times",
    arguments: [
      ("200ms", Duration.milliseconds(200)),
      ("1.5s", .milliseconds(1500)),
      (".5s", .milliseconds(500)),
      ("0.25ms", .microseconds(250)),
      ("2m", .seconds(120)),
      ("1h", .seconds(3600)),
      ("2d", .seconds(172_800)),
      ("5us", .microseconds(5)),
      ("7ns", .nanoseconds(7)),
      ("3min", .seconds(180)),
      ("3", .seconds(3)),
      ("0.5", .milliseconds(500)),
      ("007s", .seconds(7)),
      ("99999999999999999999h", .nanoseconds(Int64.max)),
    ])
  func times(_ word: String, _ time: Duration) throws {
    #expect(try settings("--audit \(word)").policy == .audit(time))
    #expect(try settings("--audit=\(word)").policy == .audit(time))
  }

  @Test("Invocation: a number without a unit is in seconds everywhere")
  func bareNumbers() throws {
    var expected = TimelineSettings(source: .times([.zero, .seconds(40)]))
    expected.interval = .seconds(100)
    expected.maxWait = .seconds(300)
    #expect(try parse("timeline --events 0,40 --interval 100 --max-wait 300") == .timeline(expected))
    #expect(try settings("--debounce 100").policy == .debounce(.seconds(100)))
  }

  @Test("Invocation: a time of zero means the next turn")
  func zeroTime() throws {
    #expect(try settings("--debounce 0s").policy == .nextTurn)
  }

  @Test(
    "Invocation: refuses words that are not times",
    arguments: [
      "soon", "ms", "s", ".", ".s", "1..5s", "-1s", "+1s", "1e3s", "1 s", "1sec", "1S", "infs", "nans",
      "１s", "½s",
    ])
  func wrongTimes(_ word: String) {
    for option in ["--throttle", "--max-wait", "--grace"] {
      #expect(
        message([option, word])
          == "\(option) \(word): give a time in \(Self.units), as in \(option) 200ms")
    }
  }

  @Test(
    "Invocation: each error has its message",
    arguments: [
      ("--debounce", "--debounce: give a time in \(units), as in --debounce 200ms"),
      ("--debounce=", "--debounce : give a time in \(units), as in --debounce 200ms"),
      ("--debounce 1s --max-wait", "--max-wait: give a time in \(units), as in --max-wait 200ms"),
      ("--debounce 1s --edges", "--edges: give one of leading, trailing, both"),
      ("--debounce 1s --edges none", "--edges none: give one of leading, trailing, both"),
      ("--when-busy wait -- true", "--when-busy wait: give one of rerun, restart, ignore"),
      ("--debounce 1s --audit 1s", "--debounce and --audit cannot be combined"),
      ("--next-turn --throttle 1s", "--next-turn and --throttle cannot be combined"),
      ("--throttle 1s --max-wait 2s", "--max-wait needs --debounce"),
      ("--max-wait 2s", "--max-wait needs --debounce"),
      ("--audit 1s --edges both", "--edges needs --debounce or --throttle"),
      ("--next-turn --edges both", "--edges needs --debounce or --throttle"),
      ("--limit 0", "--limit 0: give a number of bytes from 1 to 2^63 - 1, as in --limit 64K, or none"),
      ("--limit 1T", "--limit 1T: give a number of bytes from 1 to 2^63 - 1, as in --limit 64K, or none"),
      (
        "--limit 99999999999999G",
        "--limit 99999999999999G: give a number of bytes from 1 to 2^63 - 1, as in --limit 64K, or none"
      ),
      ("--all --distinct", "--all and --distinct cannot be combined"),
      ("--count --all", "--count cannot be combined with --all or --distinct"),
      ("--all=yes", "--all takes no value"),
      ("--stdin", "--stdin needs a command, as in -- swift build"),
      ("--when-busy ignore", "--when-busy needs a command, as in -- swift build"),
      ("--grace 1s", "--grace needs a command, as in -- swift build"),
      ("--", "give a command behind --"),
      ("--count -- true", "--count cannot be combined with a command"),
      ("--timestamps -- true", "--timestamps cannot be combined with a command"),
      ("--all -- true", "--all and --distinct need --stdin to give a command the lines"),
      ("--debounce 1s file", "unknown argument file: a command follows --, as in coalesce -- file"),
      ("--debounce 1s echo hi", "unknown argument echo: a command follows --, as in coalesce -- echo"),
      ("--debounce 1s --debounce 2s", "--debounce is given twice"),
      ("--all --all", "--all is given twice"),
      ("--stdin --grace=1s --grace 1s -- true", "--grace is given twice"),
      ("--loud", "unknown option --loud"),
      ("--loud=1", "unknown option --loud"),
      ("--verbose", "--verbose needs a command, as in -- swift build"),
      ("--now", "--now needs a command, as in -- swift build"),
      ("--clear", "--clear needs a command, as in -- swift build"),
      ("--settle 1s", "--settle needs a command, as in -- swift build"),
      ("--foreground", "--foreground needs a command, as in -- swift build"),
      ("--kill-group", "--kill-group needs a command, as in -- swift build"),
      ("--foreground --kill-group -- true", "--foreground and --kill-group cannot be combined"),
      (
        "--settle 1s --when-busy restart -- true",
        "--settle and --when-busy cannot be combined: lines during a run are ignored"
      ),
      ("--stats=all", "--stats takes no value"),
      ("--trace", "--trace: give the path of a file"),
      ("--trace=", "--trace : give the path of a file"),
      ("--trace --", "--trace --: give the path of a file"),
      ("--trace -- swift build", "--trace --: give the path of a file"),
      ("--trace --stats", "--trace --stats: give the path of a file"),
      ("--when-busy --stdin -- true", "--when-busy --stdin: give one of rerun, restart, ignore"),
      ("--trace -", "--trace -: standard output has the lines; give another file"),
      ("--completions ksh", "--completions ksh: give one of bash, zsh, fish"),
      ("--completions", "--completions: give one of bash, zsh, fish"),
      ("-x", "unknown option -x"),
      ("timeline", "give events with --events, --file or --record"),
      ("timeline --events 1,x", "--events 1,x: \(giveInstants)"),
      ("timeline --events=", "--events : \(giveInstants)"),
      ("timeline --events 36501d", "--events 36501d: \(giveInstants)"),
      ("timeline --events 106751d", "--events 106751d: \(giveInstants)"),
      ("timeline --events 0,9223372036s", "--events 0,9223372036s: \(giveInstants)"),
      ("timeline --events 0 --events 1", "--events is given twice"),
      ("timeline --file", "--file: give the path of a file"),
      ("timeline --events 0 --record", "--events and --record cannot be combined"),
      ("timeline --events 0 --interval x", "--interval x: give a time in \(units), as in --interval 200ms"),
      (
        "timeline --events 0 --policy fast",
        "--policy fast: give one of \(PolicyRow.allCases.map(\.rawValue).joined(separator: ", "))"
      ),
      ("timeline --events 0 -- true", "timeline runs no command"),
      ("timeline --debounce 1s", "unknown option --debounce"),
      ("timeline extra", "unknown argument extra: events follow --events, as in --events 0,40ms,80ms"),
      ("timeline --events 0 1", "unknown argument 1: events follow --events, as in --events 0,40ms,80ms"),
      ("timeline --svg --ascii --events 0", "--svg --ascii: give the path of a file"),
    ])
  func messages(_ line: String, _ expected: String) {
    #expect(message(words(line)) == expected)
  }

  @Test("Invocation: parses the settings of the filter")
  func filter() throws {
    #expect(try settings("") == FilterSettings())
    #expect(FilterSettings().policy == .throttle(.milliseconds(100)))
    let settings = try settings(
      "--distinct --null --limit 64K --when-busy restart --stdin --grace=1m -- a --all --")
    #expect(settings.keeping == .distinct)
    #expect(settings.delimiter == 0)
    #expect(settings.limit == 65_536)
    #expect(settings.whenBusy == .restart)
    #expect(settings.givesLines)
    #expect(settings.grace == .seconds(60))
    #expect(settings.command == ["a", "--all", "--"])
    #expect(try self.settings("--stdin -- a").keeping == .all)
    #expect(try self.settings("--all --limit none").limit == .max)
    let run = try self.settings("--now --clear --verbose --kill-group --settle 2s -- a")
    #expect(run.startsNow && run.clearsTerminal && run.isVerbose)
    #expect(run.grouping == .ownAndEnded)
    #expect(run.settle == .seconds(2))
    #expect(try self.settings("--foreground -- a").grouping == .shared)
    #expect(try self.settings("-- a").grouping == .own)
    #expect(try self.settings("--count --timestamps").writesCount)
    let watched = try self.settings("--stats --trace a.json -- b")
    #expect(watched.writesStatistics && watched.trace == "a.json")
  }

  @Test(
    "C8: a --max-wait below the interval is accepted with a warning",
    arguments: [
      ("--debounce 200ms --max-wait 100ms", "--max-wait 100ms is raised to the time of --debounce 200ms"),
      ("--max-wait=0 --debounce=1 -- true", "--max-wait 0 is raised to the time of --debounce 1"),
      ("--debounce 200ms --max-wait 200ms", nil), ("--debounce 200ms", nil), ("--throttle 1s", nil),
    ])
  func maxWait(_ line: String, _ warning: String?) throws {
    #expect(try settings(line).warning == warning)
  }

  @Test("C8: a --max-wait below the interval of a timeline is accepted with a warning")
  func timelineMaxWait() throws {
    for (options, warning) in [
      ("--max-wait 99ms", "--max-wait is raised to the time of --interval"),
      ("--max-wait 1s --interval 2s", "--max-wait is raised to the time of --interval"),
      ("--max-wait 100ms", nil), ("--interval 2s", nil),
    ] {
      guard case .timeline(let settings) = try parse("timeline --events 0 \(options)") else {
        throw UsageError("no timeline")
      }
      #expect(settings.warning == warning)
    }
  }

  @Test("Invocation: a value that begins like an option is given after an equals sign")
  func joinedValue() throws {
    #expect(try settings("--trace=--stats").trace == "--stats")
  }

  @Test("Invocation: parses the settings of a timeline")
  func timeline() throws {
    let line =
      "timeline --events 40ms,0,1 --interval 50ms --max-wait=2s --policy audit,debounce --svg a.svg --ascii"
    var expected = TimelineSettings(source: .times([.zero, .milliseconds(40), .seconds(1)]))
    expected.interval = .milliseconds(50)
    expected.maxWait = .seconds(2)
    expected.rows = [.audit, .debounce]
    expected.picture = "a.svg"
    expected.isASCII = true
    #expect(try parse(line) == .timeline(expected))
    #expect(try parse("timeline --record") == .timeline(TimelineSettings(source: .arrivals)))
    #expect(try parse("timeline --file -") == .timeline(TimelineSettings(source: .file("-"))))
  }

  private func settings(_ line: String) throws -> FilterSettings {
    guard case .filter(let settings) = try parse(line) else { throw UsageError("no filter") }
    return settings
  }

  private func parse(_ line: String) throws(UsageError) -> Invocation {
    try Invocation.parse(words(line))
  }

  private func message(_ words: [String]) -> String? {
    do {
      _ = try Invocation.parse(words)
      return nil
    } catch {
      return error.message
    }
  }

  private func words(_ line: String) -> [String] {
    line.split(separator: " ").map(String.init)
  }
}

import Foundation
import SimpleEvents
import SimpleEventsTesting
import Testing
import coalesce

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The built tool when it draws policies.
@Suite(.serialized, .onOwnThreads) struct TimelineCommandTests {
  private static let options = "timeline --events 0,40ms,80ms,300ms --policy debounce,throttle"
  private static let ascii = """
              0ms       100ms     200ms     300ms     400ms
    events    a---b---c---------------------d----------
    debounce  ==================c-----------==========d
    throttle  a=========c=========----------d=========-

    """

  @Test("timeline: draws the deliveries of the engine")
  func ascii() throws {
    #expect(try Tool("\(Self.options) --ascii").outcome() == .wrote(Self.ascii))
  }

  @Test("timeline: without --ascii a drawing has line and shade characters")
  func unicode() throws {
    let expected = Self.ascii.replacing("-", with: "─").replacing("=", with: "░")
    #expect(try Tool(Self.options, environment: ["LC_ALL": "C.UTF-8"]).outcome() == .wrote(expected))
  }

  @Test("timeline: draws the chosen policies in the given order, and all policies if none is chosen")
  func policies() throws {
    let all = try Tool("timeline --events 0").outcome().text.split(separator: "\n").dropFirst(2)
    #expect(all.map { $0.prefix { $0 != " " } } == PolicyRow.allCases.map { $0.rawValue[...] })
    let some = try Tool("timeline --events 0 --policy=audit,next-turn").outcome().text.split(separator: "\n")
    #expect(some.dropFirst(2).map { $0.prefix { $0 != " " } } == ["audit", "next-turn"])
  }

  @Test("timeline: --interval and --max-wait set the times of the policies")
  func intervals() throws {
    let outcome = try Tool(
      "timeline --events 0,10ms,20ms,30ms,40ms,50ms --interval 20ms --max-wait 30ms "
        + "--policy debounce-max-wait --ascii"
    ).outcome()
    let expected = """
                         0ms       15ms      30ms      45ms      60ms
      events             a-----b------c------d-----e------f-------------
      debounce-max-wait  ====================d===================f=====-

      """
    #expect(outcome == .wrote(expected))
  }

  @Test("timeline: reads instants from a file or from standard input")
  func file() throws {
    let path = NSTemporaryDirectory() + "events-\(UUID().uuidString)"
    defer { unlink(path) }
    try "0 40ms\n0.08s,\n300ms\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(
      try Tool("timeline --file \(path) --policy debounce,throttle --ascii").outcome() == .wrote(Self.ascii))
    let tool = try Tool("timeline --file - --policy debounce,throttle --ascii")
    try tool.send("0 40ms .08 300ms")
    #expect(try tool.finish() == .wrote(Self.ascii))
  }

  @Test("timeline: a file that cannot be read, or is not a list of instants, is reported with status 1")
  func wrongFile() throws {
    let missing = try Tool("timeline --file /nowhere/events").outcome()
    #expect(missing.status == 1)
    #expect(missing.message == "coalesce: cannot read /nowhere/events: No such file or directory\n")
    let wrong = try Tool("timeline --file /etc/passwd").outcome()
    #expect(wrong.status == 1)
    #expect(wrong.message.hasPrefix("coalesce: /etc/passwd: give times in ns, us, ms"))
    for instant in ["36501d", "106751d", "9223372036s"] {
      let late = try Tool("timeline --file -")
      try late.send("0 \(instant)\n")
      let outcome = try late.finish()
      #expect(outcome.status == 1)
      #expect(outcome.message.hasSuffix("as in 0 40ms 1.5s, up to 36500d\n"))
    }
  }

  @Test("timeline: the latest instant and the longest times are drawn")
  func late() throws {
    let outcome = try Tool("timeline --events 0,36500d --interval 106751d --max-wait 999999d").outcome()
    #expect(outcome.status == 0)
    #expect(outcome.text.split(separator: "\n").count == 2 + PolicyRow.allCases.count)
    #expect(try Tool("timeline --events 36500d --interval 1d --svg -").outcome().status == 0)
  }

  @Test(
    "timeline: in a locale that is not UTF-8 a drawing is in ASCII",
    arguments: [
      (["LC_ALL": "C"], true), (["LC_ALL": "POSIX"], true), (["LC_ALL": "de_DE.ISO-8859-1"], true),
      (["LC_ALL": "", "LC_CTYPE": "C"], true), (["LC_ALL": "", "LC_CTYPE": "", "LANG": "C"], true),
      (["LC_ALL": "C.UTF-8"], false), (["LC_ALL": "en_US.utf8"], false),
      (["LC_ALL": "", "LC_CTYPE": "UTF-8", "LANG": "C"], false),
    ])
  func locale(_ environment: [String: String], _ isASCII: Bool) throws {
    let text = isASCII ? Self.ascii : Self.ascii.replacing("-", with: "─").replacing("=", with: "░")
    #expect(try Tool(Self.options, environment: environment).outcome() == .wrote(text))
  }

  @Test("timeline --record: draws the arrivals of lines, measured from the first line")
  func record() throws {
    let tool = try Tool("timeline --record --policy next-turn --ascii --interval 1ms")
    try tool.send("a\nb\n")
    usleep(30_000)
    try tool.send("c")
    let lines = try tool.finish().text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].hasPrefix("events     2-"))
    #expect(lines[1].hasSuffix("-c"))
    #expect(lines[2].hasPrefix("next-turn  b-"))
  }

  @Test("timeline --record: lines beyond the limit are reported")
  func longRecord() throws {
    let feed = try Feed("seq 1 10002")
    let tool = try Tool("timeline --record --policy next-turn --ascii", reading: feed.output)
    try feed.end()
    let outcome = tool.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("events"))
    #expect(outcome.message == "coalesce: recorded the first 10000 lines of 10002\n")
  }

  #if os(Linux)
    @Test("timeline --record: SIGINT ends the recording")
    func endRecording() throws {
      let tool = try Tool("timeline --record --policy next-turn --ascii")
      try tool.send("a\n")
      try tool.waitUntilIdle()
      tool.signal(SIGINT)
      let outcome = tool.outcome()
      #expect(outcome.status == 130)
      #expect(outcome.text == Self.onlyLine)
    }

    @Test("timeline --record: draws once if the signal and the end of the input come together")
    func bothEnds() throws {
      for _ in 0..<8 {
        let tool = try Tool("timeline --record --policy next-turn --ascii")
        try tool.send("a\n")
        try tool.waitUntilIdle()
        tool.signal(SIGINT)
        try tool.endInput()
        let outcome = tool.outcome()
        #expect(outcome.status == 130 || outcome.status == 0)
        #expect(outcome.text == Self.onlyLine)
      }
    }

    private static let onlyLine: String = "           0ns\nevents     a\nnext-turn  a\n"
  #endif

  @Test("timeline: uses the width of the terminal, and its colours")
  func terminal() throws {
    let events: [Duration] = [.zero, .milliseconds(40), .milliseconds(80), .milliseconds(300)]
    let timeline = Timeline([
      Timeline.Row(events: events),
      Timeline.Row("debounce", of: events, by: .debounce(.milliseconds(100))),
      Timeline.Row("throttle", of: events, by: .throttle(.milliseconds(100))),
    ])
    for columns in [12, 50, 120, 200] {
      let colored = timeline.text(width: columns, hasColor: true)
      #expect(colored.contains("\u{1B}["))
      #expect(try drawing(columns, [:]) == colored + "\n")
      let plain = timeline.text(width: columns)
      #expect(plain.split(separator: "\n").allSatisfy { $0.count <= columns })
      #expect(try drawing(columns, ["NO_COLOR": "1"]) == plain + "\n")
      #expect(try drawing(columns, ["TERM": "dumb"]) == plain + "\n")
    }
  }

  @Test("timeline --svg: writes a picture")
  func picture() throws {
    let path = NSTemporaryDirectory() + "picture-\(UUID().uuidString).svg"
    defer { unlink(path) }
    #expect(try Tool("\(Self.options) --svg \(path)").outcome() == .wrote(""))
    let picture = try String(contentsOfFile: path, encoding: .utf8)
    #expect(try Tool("\(Self.options) --svg -").outcome() == .wrote(picture))
    let parser = XMLParser(data: Data(picture.utf8))
    #expect(parser.parse())
  }

  @Test("timeline --svg: a file that cannot be written is reported with status 1")
  func unwritablePicture() throws {
    let outcome = try Tool("\(Self.options) --svg /nowhere/picture.svg").outcome()
    #expect(outcome.status == 1)
    #expect(outcome.message == "coalesce: cannot write /nowhere/picture.svg: No such file or directory\n")
  }

  private func drawing(_ columns: Int, _ environment: [String: String]) throws -> String {
    let terminal = try Terminal(columns: UInt16(columns))
    let environment = ["TERM": "xterm", "NO_COLOR": "", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
    let tool = try Tool(Self.options, writing: terminal.far, environment: environment)
    let text = terminal.text(lines: columns < 30 ? 7 : 4)
    #expect(tool.silentOutcome().status == 0)
    return text
  }
}

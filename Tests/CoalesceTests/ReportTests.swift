import Foundation
import Testing

/// The reports that `--stats` and `--trace` write at the end.
@Suite(.serialized, .onOwnThreads) struct ReportTests {
  /// A file that is removed when the test has ended.
  private final class TemporaryFile {
    let path: String

    init(_ ending: String) {
      path = NSTemporaryDirectory() + "coalesce-\(UUID().uuidString).\(ending)"
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }
  }

  /// Returns the lines on standard error, with each time replaced by TIME.
  private func lines(_ outcome: Outcome) -> [String] {
    outcome.message.replacing(/[0-9.]+ (ns|us|ms|s|min)\b/, with: "TIME")
      .split(separator: "\n").map(String.init)
  }

  private let times = "latency TIME (longest TIME), duration TIME (longest TIME)"

  /// Returns the names of the complete events of a trace, each with its number of signals.
  private func slices(_ file: TemporaryFile) throws -> [String] {
    let json = try JSONSerialization.jsonObject(with: Data(file.text.utf8)) as? [String: Any]
    let events = try #require(json?["traceEvents"] as? [[String: Any]])
    return events.filter { $0["ph"] as? String == "X" }.map { event in
      let signals = (event["args"] as? [String: Any])?["signals"] as? Int
      return "\(event["name"] as? String ?? "-") \(signals ?? -1)"
    }
  }

  /// Returns the names of the processes of a trace.
  private func processes(_ file: TemporaryFile) throws -> [String?] {
    let json = try JSONSerialization.jsonObject(with: Data(file.text.utf8)) as? [String: Any]
    let events = try #require(json?["traceEvents"] as? [[String: Any]])
    return events.filter { $0["name"] as? String == "process_name" }
      .map { ($0["args"] as? [String: Any])?["name"] as? String }
  }

  @Test("--stats: lines and deliveries are counted at the end of the input")
  func statistics() throws {
    let tool = try Tool("--throttle 1h --stats")
    try tool.send("a\nb\n")
    #expect(tool.line() == "b")
    try tool.send("c\n")
    let outcome = try tool.finish()
    #expect(outcome.status == 0)
    #expect(outcome.text == "c\n")
    #expect(
      lines(outcome) == ["coalesce: 3 lines, 0 dropped", "coalesce: 2 deliveries for 2 signals, \(times)"])
  }

  @Test("--stats: runs are counted, and so are lines that the limit has dropped")
  func runs() throws {
    let tool = try Tool("--debounce 1h --stdin --limit 4 --stats", command: ["sh", "-c", "exit 3"])
    try tool.send("a\nb\nc\nd\n")
    let outcome = try tool.finish()
    #expect(outcome.status == 3)
    #expect(
      lines(outcome).suffix(3) == [
        "coalesce: 4 lines, 2 dropped", "coalesce: 1 delivery for 1 signal, \(times)",
        "coalesce: 1 run for 1 signal, \(times)",
      ])
  }

  #if os(Linux)
    @Test(
      "--stats --settle: lines that arrive during a run and after it are counted", arguments: ["", "--stdin"])
    func settled(_ option: String) throws {
      let gate = try Gate()
      let tool = try Tool(
        "--next-turn --settle 1h --stats \(option)",
        command: ["sh", "-c", "echo run; read x <\(gate.path); echo end"])
      try tool.send("a\n")
      #expect(tool.line() == "run")
      try tool.send("b\nc\npart")
      try tool.waitUntilIdle()
      try gate.open()
      #expect(tool.line() == "end")
      try tool.waitUntilIdle()
      try tool.send("ly\nd")
      let outcome = try tool.finish()
      #expect(lines(outcome).first == "coalesce: 5 lines, 4 dropped, 4 of them by --settle")
    }
  #endif

  @Test("--stats, --trace: an empty input has no deliveries")
  func emptyInput() throws {
    let file = TemporaryFile("json")
    let outcome = try Tool("--stats --trace \(file.path)").finish()
    #expect(outcome.status == 0)
    #expect(lines(outcome).first == "coalesce: 0 lines, 0 dropped")
    #expect(try slices(file) == [])
  }

  @Test("--trace: the file has the deliveries and runs as trace events")
  func trace() throws {
    let file = TemporaryFile("json")
    try "former contents".write(toFile: file.path, atomically: false, encoding: .utf8)
    let tool = try Tool("--debounce 1h --trace \(file.path)", command: ["true"])
    try tool.send("a\nb\n")
    #expect(try tool.finish() == .wrote(""))
    #expect(
      try slices(file).sorted() == [
        "CoalescingCallback \"lines\" 1", "RefreshLoop \"command\" 1", "pending 1", "pending 1",
      ])
    #expect(try processes(file) == ["coalesce"])
  }

  @Test("--trace: the file is a picture if its name ends in .svg")
  func picture() throws {
    let file = TemporaryFile("svg")
    let tool = try Tool("--debounce 1h --trace=\(file.path)")
    try tool.send("a\n")
    #expect(try tool.finish() == .wrote("a\n"))
    let text = try file.text
    #expect(text.hasPrefix("<svg "))
    #expect(text.contains("<title>lines signals, lines deliveries</title>"))
    #expect(text.contains("disc: its delivery"))
  }

  @Test("--trace: a file that cannot be opened is reported before a line is read, with status 1")
  func unopenedFile() throws {
    let outcome = try Tool("--trace /nowhere/trace.json").outcome()
    let message = "coalesce: cannot write /nowhere/trace.json: No such file or directory\n"
    #expect(outcome == Outcome(status: 1, output: [], errors: Array(message.utf8)))
  }

  @Test("--trace: a path that is not UTF-8 is a usage error", arguments: ["--trace $path", "--trace=$path"])
  func invalidPath(_ option: String) throws {
    let path = "path=$(printf '/nowhere/\\377')"
    let outcome = try Tool("--next-turn", shell: "\(path); exec \"$@\" \(option)").outcome()
    #expect(outcome.status == 64)
    #expect(outcome.message.hasSuffix("/nowhere/\u{FFFD}: options must be UTF-8\nTry 'coalesce --help'.\n"))
    // The arguments of the command may be any bytes.
    let tool = try Tool("--next-turn", shell: "\(path); exec \"$@\" -- printf %s \"$path\"")
    try tool.send("a\n")
    #expect(try tool.finish().output == Array("/nowhere/".utf8) + [0xFF])
  }

  #if os(Linux)
    @Test("--trace: a file that cannot be written is reported, with status 1")
    func unwrittenFile() throws {
      let tool = try Tool("--debounce 1h --trace /dev/full", command: ["sh", "-c", "exit 3"])
      try tool.send("a\n")
      let message = "coalesce: cannot write /dev/full: No space left on device\n"
      #expect(try tool.finish() == Outcome(status: 1, output: [], errors: Array(message.utf8)))
    }

    @Test("--stats, --trace: a signal ends the tool after the reports", arguments: [[], ["sleep", "1000"]])
    func signal(_ command: [String]) throws {
      let file = TemporaryFile("json")
      let tool = try Tool("--next-turn --stats --trace \(file.path)", command: command)
      try tool.send("a\n")
      if command.isEmpty { #expect(tool.line() == "a") }
      try tool.waitUntilIdle()
      tool.signal(SIGTERM)
      let outcome = tool.outcome()
      #expect(outcome.status == 143)
      #expect(lines(outcome).first == "coalesce: 1 line, 0 dropped")
      #expect(lines(outcome).count == (command.isEmpty ? 2 : 3))
      #expect(try slices(file).contains("CoalescingCallback \"lines\" 1"))
    }
  #endif

  @Test("--stats: after a closed pipe the tool writes the report and exits")
  func closedPipe() throws {
    let tool = try Tool("--next-turn --stats")
    try tool.closeOutput()
    try tool.send("a\n")
    let outcome = tool.silentOutcome()
    #expect(outcome.status == 141)
    #expect(
      lines(outcome) == ["coalesce: 1 line, 0 dropped", "coalesce: 0 deliveries for 1 signal, \(times)"])
  }
}

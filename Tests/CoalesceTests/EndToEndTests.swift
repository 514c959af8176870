import Foundation
import Testing
import coalesce

/// The built tool between real pipes.
///
/// A window of an hour never ends in a test. For shorter windows the tests assert lower bounds only.
@Suite(.serialized) struct EndToEndTests {
  @Test(
    "coalesce: at the end of input the newest pending line is written",
    arguments: [
      ("--debounce 1h", "b\n"),
      ("--debounce 1h --max-wait 2h", "b\n"),
      ("--debounce 1h --edges trailing", "b\n"),
      ("--throttle 1h --edges trailing", "b\n"),
      ("--audit 1h", "b\n"),
    ])
  func pendingLineAtEndOfInput(_ options: String, _ expected: String) throws {
    let tool = try Tool(options)
    try tool.send("a\nb\n")
    #expect(try tool.finish() == .wrote(expected))
  }

  @Test(
    "coalesce: a leading edge writes the first line at once",
    arguments: [
      ("--debounce 1h --edges both", "c\n"),
      ("--debounce 1h --edges leading", ""),
      ("--throttle 1h", "c\n"),
      ("--throttle 1h --edges both", "c\n"),
      ("--throttle 1h --edges leading", ""),
    ])
  func leadingEdge(_ options: String, _ rest: String) throws {
    let tool = try Tool(options)
    try tool.send("a\n")
    #expect(tool.line() == "a")
    try tool.send("b\nc\n")
    #expect(try tool.finish() == .wrote(rest))
  }

  @Test("--debounce: writes the newest line at the end of a pause")
  func debounce() throws {
    let tool = try Tool("--debounce 50ms")
    try tool.send("a\nb\n")
    #expect(try tool.arrival(of: "b") >= tool.start + .milliseconds(50))
    #expect(try tool.finish() == .wrote(""))
  }

  @Test("--audit: writes the newest line at the end of its window")
  func audit() throws {
    let tool = try Tool("--audit 50ms")
    try tool.send("a\nb\n")
    #expect(try tool.arrival(of: "b") >= tool.start + .milliseconds(50))
    #expect(try tool.finish() == .wrote(""))
  }

  @Test("--throttle: always writes the last line")
  func throttle() throws {
    let tool = try Tool("--throttle 50ms")
    try tool.send("a\n")
    #expect(tool.line() == "a")
    try tool.send("b\nc\n")
    #expect(try tool.arrival(of: "c") >= tool.start + .milliseconds(50))
    #expect(try tool.finish() == .wrote(""))
  }

  @Test("--next-turn: writes each line of a slow input")
  func nextTurn() throws {
    let tool = try Tool("--next-turn")
    for line in ["a", "b", ""] {
      try tool.send("\(line)\n")
      #expect(tool.line() == line)
    }
    #expect(try tool.finish() == .wrote(""))
  }

  @Test("--max-wait: lines are written during a storm")
  func maxWait() throws {
    let tool = try Tool("--debounce 100ms --max-wait 150ms")
    let storm = Storm(tool)
    #expect(try tool.arrival(of: "storm") >= tool.start + .milliseconds(100))
    #expect(storm.isActive, "the line came after the storm")
    storm.end()
    #expect(try tool.finish().status == 0)
  }

  @Test("coalesce: a last line without a newline is a line")
  func lastLineWithoutNewline() throws {
    let tool = try Tool("--debounce 1h")
    try tool.send("a\nb")
    #expect(try tool.finish() == .wrote("b\n"))
  }

  @Test("coalesce: bytes that are not text are written unchanged")
  func arbitraryBytes() throws {
    let tool = try Tool("--next-turn")
    try tool.send(Data([0xFF, 0x00, 0xC3, 0x0D, 0x0A]))
    let outcome = try tool.finish()
    #expect(outcome.output == [0xFF, 0x00, 0xC3, 0x0D, 0x0A])
  }

  @Test("coalesce: an empty input gives an empty output")
  func emptyInput() throws {
    #expect(try Tool("--next-turn").finish() == .wrote(""))
  }

  @Test(
    "coalesce: a wrong option gives the usage and status 64",
    arguments: ["", "--debounce soon", "--nonsense", "--audit 1s --throttle 1s"])
  func wrongOption(_ options: String) throws {
    let outcome = try Tool(options).outcome()
    #expect(outcome.status == 64)
    #expect(outcome.output == [])
    let errors = String(decoding: outcome.errors, as: UTF8.self)
    #expect(errors.hasPrefix("coalesce: "))
    #expect(errors.hasSuffix("\n\(Options.usage)"))
  }

  @Test("--help: writes the usage and ends with status 0")
  func help() throws {
    #expect(try Tool("--help").outcome() == .wrote(Options.usage))
  }

  @Test("coalesce: an input that cannot be read is an error")
  func unreadableInput() throws {
    let directory = try #require(FileHandle(forReadingAtPath: "/"))
    let outcome = try Tool("--next-turn", reading: directory).outcome()
    #expect(outcome.status == 1)
    #expect(outcome.output == [])
    #expect(
      String(decoding: outcome.errors, as: UTF8.self).hasPrefix("coalesce: cannot read standard input: "))
  }

  @Test("coalesce: a closed output ends the tool without a message")
  func closedOutput() throws {
    let tool = try Tool("--next-turn")
    try tool.closeOutput()
    try tool.send("a\n")
    let outcome = tool.silentOutcome()
    // The signal ends the tool, or the write error where the signal is ignored.
    #expect(outcome.status == SIGPIPE || outcome.status == EXIT_FAILURE)
    #expect(outcome.errors == [])
  }

  #if os(Linux)
    @Test("coalesce: an endless line takes bounded memory")
    func endlessLine() throws {
      let tool = try Tool("--debounce 1h")
      let megabyte = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
      for _ in 1...64 {
        try tool.send(megabyte)
      }
      // The tool has read all bytes but those that the pipe holds.
      let status = try String(contentsOfFile: "/proc/\(tool.processID)/status", encoding: .utf8)
      let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let kilobytes = try #require(peak?.split { !$0.isNumber }.first.flatMap { Int($0) })
      #expect(kilobytes < 48 << 10, "\(peak ?? "")")
      let outcome = try tool.finish()
      #expect(outcome.status == 0)
      #expect(outcome.output.count == (1 << 20) + 1)
    }
  #endif
}

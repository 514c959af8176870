import Dispatch
import Foundation
import Testing

/// The built tool with real pipes.
///
/// A window of an hour never ends in a test. For shorter windows, the tests assert only lower bounds.
@Suite(.serialized, .onOwnThreads) struct EndToEndTests {
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
    "coalesce: a leading edge writes the first line immediately",
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

  @Test("--throttle: the last line is always written")
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

  @Test("C8: a --max-wait that is raised is reported, and the lines are written")
  func raisedMaxWait() throws {
    let tool = try Tool("--debounce 2h --max-wait 1h")
    try tool.send("a\n")
    let outcome = try tool.finish()
    #expect(outcome.status == 0)
    #expect(outcome.text == "a\n")
    #expect(outcome.message == "coalesce: --max-wait 1h is raised to the time of --debounce 2h\n")
    let drawing = try Tool("timeline --events 0 --policy debounce --max-wait 1ms").outcome()
    #expect(drawing.status == 0)
    #expect(drawing.message == "coalesce: --max-wait is raised to the time of --interval\n")
  }

  @Test("coalesce: a last line without a newline is a line")
  func lastLineWithoutNewline() throws {
    let tool = try Tool("--debounce 1h")
    try tool.send("a\nb")
    #expect(try tool.finish() == .wrote("b\n"))
  }

  @Test("coalesce: the default policy is --throttle 100ms")
  func defaultPolicy() throws {
    let tool = try Tool("")
    try tool.send("a\n")
    #expect(tool.line() == "a")
    try tool.send("b\n")
    // The tool has read the first line before it writes it.
    #expect(try tool.arrival(of: "b") >= tool.start + .milliseconds(100))
    #expect(try tool.finish() == .wrote(""))
  }

  @Test("--throttle: lines that are read together are one delivery")
  func together() throws {
    let tool = try Tool("--throttle 1h")
    try tool.send("a\nb\nc\n")
    #expect(tool.line() == "c")
    #expect(try tool.finish() == .wrote(""))
  }

  @Test("coalesce: an empty input gives an empty output")
  func emptyInput() throws {
    #expect(try Tool("--next-turn").finish() == .wrote(""))
  }
}

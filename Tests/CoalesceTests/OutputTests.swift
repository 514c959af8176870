import Foundation
import Testing

/// The forms in which the built tool writes.
@Suite(.serialized, .onOwnThreads) struct OutputTests {
  @Test("--all: writes every line of the batch")
  func all() throws {
    let tool = try Tool("--debounce 1h --all")
    try tool.send("b\na\n\nb")
    #expect(try tool.finish() == .wrote("b\na\n\nb\n"))
  }

  @Test("--distinct: writes each line once, in the order of first arrival")
  func distinct() throws {
    let tool = try Tool("--debounce 1h --distinct")
    try tool.send("b\na\nb\nc\na\n")
    #expect(try tool.finish() == .wrote("b\na\nc\n"))
  }

  @Test("--count: writes the number of lines")
  func count() throws {
    let tool = try Tool("--debounce 1h --count")
    try tool.send("a\nb\nc")
    #expect(try tool.finish() == .wrote("3\n"))
  }

  @Test("--null: lines of input and output end with a zero byte", arguments: ["", "--all"])
  func null(_ option: String) throws {
    let tool = try Tool("--throttle 1h --null \(option)")
    try tool.send("a\nb\0")
    #expect(tool.line(0) == "a\nb")
    try tool.send("c\n")
    #expect(try tool.finish() == .wrote("c\n\0"))
  }

  @Test("--timestamps: writes the local time before each line")
  func timestamps() throws {
    let tool = try Tool("--debounce 1h --all --timestamps", environment: ["TZ": "UTC-05:30"])
    let before = Date.now.addingTimeInterval(-1)
    try tool.send("a\n\nb\n")
    let lines = try tool.finish().text.split(separator: "\n")
    #expect(lines.count == 3)
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    for (line, end) in zip(lines, ["+05:30 a", "+05:30 ", "+05:30 b"]) {
      #expect(line.hasSuffix(end))
      let time = try #require(format.date(from: String(line.prefix(29))))
      #expect(time >= before && time <= .now)
    }
  }

  @Test("coalesce: bytes that are not text are written unchanged", arguments: ["", "--all", "--distinct"])
  func arbitraryBytes(_ option: String) throws {
    let tool = try Tool("--next-turn \(option)")
    try tool.send(Data([0xFF, 0x00, 0xC3, 0x0D, 0x0A]))
    #expect(try tool.finish().output == [0xFF, 0x00, 0xC3, 0x0D, 0x0A])
  }

  @Test(
    "--limit: a longer line is cut, with one notice", arguments: ["--debounce 1h", "--debounce 1h --all"])
  func limit(_ options: String) throws {
    let tool = try Tool("\(options) --limit 4")
    try tool.send("abcde\n")
    let outcome = try tool.finish()
    #expect(outcome.text == "abcd\n")
    #expect(
      outcome.message
        == "coalesce: a line of more than 4 bytes was cut; later ones are cut without a notice (--limit)\n")
    #expect(outcome.status == 0)
  }

  @Test("--limit: the notice about a cut line is written once")
  func oneNotice() throws {
    let tool = try Tool("--next-turn --limit 1")
    for line in ["ab", "cd", "ef"] {
      try tool.send("\(line)\n")
      #expect(tool.line() == String(line.prefix(1)))
    }
    #expect(try tool.finish().message.split(separator: "\n").count == 1)
  }
}

import Foundation
import Testing
import coalesce

/// Lines that are dropped because of a limit. Each loss is reported.
@Suite(.serialized, .onOwnThreads) struct LossTests {
  @Test("--all --limit: drops the oldest lines beyond the limit, and reports their number")
  func all() throws {
    let tool = try Tool("--debounce 1h --all --limit=5")
    try tool.send("a\nbb\nc\nd\n")
    let outcome = try tool.finish()
    #expect(outcome.status == 0)
    #expect(outcome.text == "c\nd\n")
    #expect(
      outcome.message
        == "coalesce: dropped the oldest 2 lines of 4, over --limit 5\n"
        + "coalesce: dropped 2 lines of 4 in total\n"
    )
  }

  @Test("--distinct --limit: drops the newest lines beyond the limit, and reports their number")
  func distinct() throws {
    let tool = try Tool("--debounce 1h --distinct --limit 4")
    try tool.send("a\nb\na\nc\n")
    let outcome = try tool.finish()
    #expect(outcome.text == "a\nb\n")
    #expect(
      outcome.message
        == "coalesce: dropped the newest 1 line of 4, over --limit 4\n"
        + "coalesce: dropped 1 line of 4 in total\n"
    )
  }

  @Test(
    "--limit: each delivery that drops lines reports them, and the end reports the sum, even after a signal")
  func eachDelivery() throws {
    let tool = try Tool("--next-turn --all --limit 2")
    for number in 1...3 {
      // One write to a pipe is read by one call, and gives one delivery.
      try tool.send("a\nb\n\(number)\n")
      #expect(tool.line() == "\(number)")
    }
    tool.signal(SIGTERM)
    let outcome = tool.outcome()
    #expect(outcome.status == 143)
    let notice = "coalesce: dropped the oldest 2 lines of 3, over --limit 2\n"
    #expect(outcome.message == notice + notice + notice + "coalesce: dropped 6 lines of 9 in total\n")
  }

  @Test("--all: lines beyond the default limit are reported, and none is lost with --limit none")
  func manyLines() throws {
    let count = 200_000
    for option in ["", "--limit none"] {
      let feed = try Feed("seq 1 \(count)")
      let tool = try Tool("--debounce 1h --all \(option)", reading: feed.output)
      try feed.end()
      let outcome = tool.outcome()
      let lines = outcome.output.count { $0 == UInt8(ascii: "\n") }
      let dropped = count - lines
      #expect((dropped > 0) == option.isEmpty)
      #expect(
        outcome.message
          == (option.isEmpty
            ? "coalesce: dropped the oldest \(dropped) lines of \(count), over --limit 1048576\n"
              + "coalesce: dropped \(dropped) lines of \(count) in total\n" : ""))
    }
  }

  @Test("--stdin --limit: lines that a command does not get are reported")
  func command() throws {
    let tool = try Tool("--debounce 1h --stdin --limit 2", command: ["cat"])
    try tool.send("a\nb\n")
    let outcome = try tool.finish()
    #expect(outcome.text == "b\n")
    #expect(
      outcome.message
        == "coalesce: dropped the oldest 1 line of 2, over --limit 2\n"
        + "coalesce: dropped 1 line of 2 in total\n"
    )
  }

  @Test("--all: lines that a leading edge leaves undelivered are reported at the end")
  func leadingEdge() throws {
    let tool = try Tool("--throttle 1h --edges leading --all")
    try tool.send("a\n")
    #expect(tool.line() == "a")
    try tool.send("b\nc\n")
    let outcome = try tool.finish()
    #expect(outcome.output == [])
    #expect(
      outcome.message
        == "coalesce: dropped 2 lines at the end, because no delivery was due\n"
        + "coalesce: dropped 2 lines of 3 in total\n")
  }

  #if os(Linux)
    @Test("coalesce: lines that a signal drops are not reported as undelivered", arguments: ["", "--by 0"])
    func signal(_ option: String) throws {
      // The file of the trace keeps the tool from exiting at once.
      let full = try FullPipe()
      let tool = try Tool(
        "--next-turn --stdin --grace 1ms --trace \(full.path) \(option)",
        command: ["sh", "-c", "echo run; exec sleep 1000"])
      try tool.send("a\n")
      #expect(tool.line() == "run")
      try tool.send("b\na\n")
      try tool.waitUntilIdle()
      try tool.endInput()
      try tool.waitUntilIdle()
      tool.signal(SIGTERM)
      #expect(tool.outcome() == Outcome(status: 143, output: [], errors: []))
    }
  #endif

  @Test("--all, --distinct: the help and the man page state the limit")
  func help() {
    for option in OptionSpec.outputs where ["--all", "--distinct"].contains(option.name) {
      #expect(option.brief.contains("--limit"))
    }
    #expect(HelpText.filter.contains("(default 1M)"))
    #expect(ManPage.text.contains("Their number is written on standard error"))
  }
}

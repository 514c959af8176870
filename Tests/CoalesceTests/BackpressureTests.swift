#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The memory of the built tool when the input is faster than the output. Release builds test more input.
  @Suite(.serialized, .onOwnThreads) struct BackpressureTests {
    @Test(
      "coalesce: millions of lines take less than 60 MB",
      arguments: ["--throttle 100ms", "--next-turn", "--throttle 100ms --all", "--throttle 100ms --distinct"])
    func manyLines(_ options: String) throws {
      let count = isDebug ? 200_000 : options == "--throttle 100ms" ? 20_000_000 : 2_000_000
      let feed = try Feed("yes | head -n \(count); echo end")
      let tool = try Tool(options, reading: feed.output)
      var line = tool.line()
      while line == "y" { line = tool.line() }
      #expect(line == "end")
      #expect(try tool.peakMemory() < 60 << 20)
      try feed.end()
      let outcome = tool.outcome()
      #expect(outcome.status == 0)
      #expect(outcome.output == [])
      // A writer that is slower than the reader drops lines, and reports them.
      if !options.hasSuffix("--all") { #expect(outcome.errors == []) }
    }

    @Test("coalesce: no line is lost among millions", arguments: ["--throttle 10ms", "--next-turn"])
    func count(_ policy: String) throws {
      let count = isDebug ? 200_000 : 2_000_000
      let feed = try Feed("yes | head -n \(count)")
      let tool = try Tool("\(policy) --count", reading: feed.output)
      var taken = 0
      while taken < count {
        let lines = try #require(tool.line().flatMap { Int($0) })
        try #require(lines > 0)
        taken += lines
      }
      #expect(taken == count)
      try feed.end()
      #expect(tool.outcome() == .wrote(""))
    }

    @Test("coalesce: a gigabyte without a newline takes less than 60 MB")
    func endlessLine() throws {
      let megabytes = isDebug ? 64 : 1024
      let feed = try Feed("head -c \(megabytes)M /dev/zero; echo; echo end")
      let tool = try Tool("--throttle 1ms", reading: feed.output)
      try tool.arrival(of: "end")
      #expect(try tool.peakMemory() < 60 << 20)
      try feed.end()
      #expect(tool.outcome().status == 0)
    }
  }
#endif

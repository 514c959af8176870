#if os(Linux)
  import Foundation
  import Testing

  /// Signals that come while the built tool waits to write.
  @Suite(.serialized, .onOwnThreads) struct UnreadOutputTests {
    @Test(
      "coalesce: one signal ends the filter even if its output is not read",
      arguments: ["exec \"$@\"", "exec \"$@\" 2>&1"])
    func unreadOutput(_ shell: String) throws {
      let pipe = Pipe()
      let tool = try Tool("--debounce 10ms --all", writing: pipe.fileHandleForWriting, shell: shell)
      try tool.send(String(repeating: "a line\n", count: 20_000))
      try tool.send("pending\n")
      // A full pipe alone does not suffice: the tool may have lines in memory that are not read.
      try tool.waitUntilIdle()
      tool.signal(SIGINT)
      let outcome = tool.silentOutcome()
      #expect(outcome.status == 130)
      let notice = "coalesce: standard output was not read within one second: pending lines are lost\n"
      #expect(outcome.message == (shell.contains("2>") ? "" : notice))
      try pipe.fileHandleForWriting.close()
    }

    @Test(
      "coalesce: one signal ends the tool while it waits to write a report",
      arguments: [("--stats", "2>"), ("--trace", "4>")])
    func unwrittenReport(_ option: String, _ redirection: String) throws {
      let full = try FullPipe()
      let value = option == "--trace" ? full.path : ""
      let tool = try Tool("--next-turn \(option) \(value)", shell: "exec \"$@\" \(redirection)\(full.path)")
      try tool.send("a\n")
      #expect(tool.line() == "a")
      try tool.endInput()
      try tool.waitUntilIdle()
      tool.signal(SIGINT)
      #expect(tool.outcome() == Outcome(status: 130, output: [], errors: []))
    }

    @Test(
      "coalesce: a signal ends the tool while it waits to write a text or a message",
      arguments: ["--help", "--man", "--wrong", "timeline", "--debounce 2s --max-wait 1s", "--trace /none/x"])
    func unwrittenText(_ options: String) throws {
      let full = try FullPipe()
      let tool = try Tool(options, shell: "exec \"$@\" >\(full.path) 2>&1")
      try tool.waitUntilIdle()
      tool.signal(SIGINT)
      #expect(tool.outcome() == Outcome(status: SIGINT, output: [], errors: []))
    }
  }
#endif

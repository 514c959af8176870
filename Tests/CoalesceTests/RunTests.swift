import Foundation
import Testing

/// The times at which the command runs, and the reports about its runs.
@Suite(.serialized, .onOwnThreads) struct RunTests {
  @Test("--now: runs once at the start, without a line", arguments: ["--debounce 1h", "--throttle 1h"])
  func now(_ policy: String) throws {
    let tool = try Tool(
      "\(policy) --now --stdin", command: ["sh", "-c", "cat; echo run $COALESCE_COUNT [$COALESCE_LAST]"])
    #expect(tool.line() == "run 0 []")
    try tool.send("a\n")
    #expect(try tool.finish() == .wrote("a\nrun 1 [a]\n"))
  }

  @Test("--now: runs once for an empty input, and exits with the status of the run")
  func nowAlone() throws {
    let tool = try Tool("--next-turn --now", command: ["sh", "-c", "echo run; exit 5"])
    #expect(try tool.finish() == Outcome(status: 5, output: Array("run\n".utf8), errors: []))
  }

  @Test("--verbose: each run has its status and duration on standard error")
  func verbose() throws {
    let tool = try Tool("--next-turn --verbose", command: ["sh", "-c", "echo; exit $COALESCE_LAST"])
    for status in [3, 0] {
      try tool.send("\(status)\n")
      #expect(tool.line() == "")
    }
    let lines = try tool.finish().message.split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[0].wholeMatch(of: /coalesce: sh: status 3 after [0-9]+\.[0-9]{3} s/) != nil)
    #expect(lines[1].wholeMatch(of: /coalesce: sh: status 0 after [0-9]+\.[0-9]{3} s/) != nil)
  }

  @Test("coalesce: a command that writes into the watched folder runs again and again")
  func feedback() throws {
    let tool = try feedbackTool("")
    #expect(tool.line() == "run a")
    for _ in 1...5 { #expect(tool.line() == "run own") }
    tool.signal(SIGTERM)
    #expect(tool.outcome().status == 143)
  }

  #if os(Linux)
    @Test("--settle: a command that writes into the watched folder runs once")
    func noFeedback() throws {
      let tool = try feedbackTool("--settle 1h")
      #expect(tool.line() == "run a")
      try tool.waitUntilIdle()
      tool.signal(SIGTERM)
      #expect(tool.outcome() == Outcome(status: 143, output: [], errors: []))
    }

    @Test("--settle: lines during a run and after it are dropped, even at the end of the input")
    func settle() throws {
      let gate = try Gate()
      let tool = try Tool(
        "--next-turn --settle 1h --stdin",
        command: ["sh", "-c", "echo run $COALESCE_COUNT; cat; read x <\(gate.path); echo end"])
      try tool.send("a\n")
      #expect(tool.line() == "run 1")
      #expect(tool.line() == "a")
      // A line is counted when it is complete.
      try tool.send("during\npart")
      try tool.waitUntilIdle()
      try gate.open()
      #expect(tool.line() == "end")
      try tool.waitUntilIdle()
      try tool.send("ly\nafter\n")
      #expect(try tool.finish() == .wrote(""))
    }
  #endif

  @Test("--settle: lines that arrive later cause a run")
  func afterSettling() throws {
    let tool = try Tool("--next-turn --settle 20ms", command: ["sh", "-c", "echo run $COALESCE_LAST"])
    try tool.send("a\n")
    #expect(tool.line() == "run a")
    let storm = Storm(tool)
    try tool.arrival(of: "run storm")
    storm.end()
    #expect(try tool.finish().status == 0)
  }

  /// Starts the tool with a named pipe as its input. The command writes a line into the pipe.
  private func feedbackTool(_ option: String) throws -> Tool {
    // A descriptor for reading and writing opens the pipe without waiting, and keeps the pipe open.
    let shell = """
      pipe=$(mktemp -u); mkfifo "$pipe"; exec 3<>"$pipe"; rm "$pipe"; echo a >&3; exec "$@" <&3
      """
    return try Tool(
      "--debounce 5ms \(option)", command: ["sh", "-c", "echo run $COALESCE_LAST; echo own >&3"], shell: shell
    )
  }
}

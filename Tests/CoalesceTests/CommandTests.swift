import Foundation
import Testing

/// The built tool with a command.
@Suite(.serialized, .onOwnThreads) struct CommandTests {
  @Test("--: runs a command directly, without a shell")
  func direct() throws {
    let tool = try Tool("--next-turn", command: ["printf", "%s|", "$HOME", "*", "a b"])
    try tool.send("x\n")
    #expect(try tool.finish() == .wrote("$HOME|*|a b|"))
  }

  @Test("--: runs never overlap")
  func noOverlap() throws {
    let tool = try Tool("--next-turn", command: ["sh", "-c", "echo start; sleep 0.02; echo end"])
    for _ in 1...20 {
      try tool.send("x\n")
      usleep(5000)
    }
    let outcome = try tool.finish()
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count >= 2)
    #expect(lines.enumerated().allSatisfy { $0.element == ($0.offset % 2 == 0 ? "start" : "end") })
    #expect(outcome.status == 0)
  }

  @Test(
    "--when-busy rerun: lines that arrive during a run cause one more run",
    arguments: ["", "--when-busy rerun"])
  func rerun(_ option: String) throws {
    let gate = try Gate()
    let tool = try Tool(
      "--next-turn \(option)",
      command: ["sh", "-c", "echo start $COALESCE_COUNT $COALESCE_LAST; read x <\(gate.path); echo end"])
    try tool.send("a\n")
    #expect(tool.line() == "start 1 a")
    try tool.send("b\nc\n")
    try gate.open()
    #expect(tool.line() == "end")
    #expect(tool.line() == "start 2 c")
    try gate.open()
    #expect(try tool.finish() == .wrote("end\n"))
  }

  @Test("--: each line is part of one run, and no run is without a line")
  func counts() throws {
    let tool = try Tool("--throttle 2ms", command: ["sh", "-c", "echo $COALESCE_COUNT"])
    for _ in 1...200 {
      try tool.send("x\n")
      usleep(500)
    }
    let counts = try tool.finish().text.split(separator: "\n").compactMap { Int($0) }
    #expect(counts.allSatisfy { $0 > 0 })
    #expect(counts.reduce(0, +) == 200)
  }

  @Test("--when-busy restart: a line ends the run in progress, and the next run starts after its end")
  func restart() throws {
    let tool = try Tool(
      "--next-turn --when-busy=restart",
      command: [
        "sh", "-c",
        """
        trap 'echo ended $COALESCE_LAST; exit 3' TERM
        echo start $COALESCE_LAST
        [ $COALESCE_LAST = a ] || exit 7
        sleep 1000 &
        wait
        """,
      ])
    try tool.send("a\n")
    #expect(tool.line() == "start a")
    try tool.send("b\n")
    #expect(tool.line() == "ended a")
    #expect(tool.line() == "start b")
    #expect(try tool.finish() == Outcome(status: 7, output: [], errors: []))
  }

  @Test("--grace: a command that ignores SIGTERM is killed after the given time")
  func grace() throws {
    let tool = try Tool(
      "--next-turn --when-busy restart --grace 50ms",
      command: [
        "sh", "-c",
        "echo $COALESCE_LAST; [ $COALESCE_LAST = a ] || exit 0; trap '' TERM; echo deaf; sleep 1000",
      ])
    try tool.send("a\n")
    #expect(tool.line() == "a")
    #expect(tool.line() == "deaf")
    let restart = DispatchTime.now()
    try tool.send("b\n")
    #expect(try tool.arrival(of: "b") >= restart + .milliseconds(50))
    #expect(try tool.finish() == .wrote(""))
  }

  #if os(Linux)
    @Test("--when-busy ignore: lines that arrive during a run start no run")
    func ignore() throws {
      let gate = try Gate()
      let tool = try Tool(
        "--next-turn --when-busy ignore",
        command: ["sh", "-c", "echo start $COALESCE_COUNT $COALESCE_LAST; read x <\(gate.path); echo end"])
      try tool.send("a\n")
      #expect(tool.line() == "start 1 a")
      try tool.send("b\n")
      try tool.waitUntilIdle()
      try gate.open()
      #expect(tool.line() == "end")
      try tool.waitUntilIdle()
      try tool.send("c\n")
      #expect(tool.line() == "start 2 c")
      try gate.open()
      #expect(try tool.finish() == .wrote("end\n"))
    }
  #endif

  @Test("--stdin: the command gets the lines up to the limit, and the number of dropped lines")
  func standardInput() throws {
    let script = "echo $COALESCE_COUNT $COALESCE_DROPPED $COALESCE_LAST; cat"
    let tool = try Tool("--debounce 1h --stdin --limit 4", command: ["sh", "-c", script])
    try tool.send("a\nb\nc\nd")
    #expect(try tool.finish().text == "4 2 d\nc\nd\n")
  }

  @Test("--stdin --distinct: the command gets each distinct line once")
  func distinctInput() throws {
    let script = "echo $COALESCE_COUNT $COALESCE_DROPPED; cat"
    let tool = try Tool("--debounce 1h --stdin --distinct --limit 4", command: ["sh", "-c", script])
    try tool.send("a\nb\na\nc\n")
    #expect(try tool.finish().text == "4 1\na\nb\n")
  }

  @Test("--stdin: a large batch does not block the tool if the command does not read it")
  func unreadInput() throws {
    let tool = try Tool("--debounce 1h --stdin", command: ["true"])
    try tool.send(String(repeating: String(repeating: "x", count: 999) + "\n", count: 1000))
    #expect(try tool.finish() == .wrote(""))
  }

  @Test("--: without --stdin the standard input is empty, and nothing is dropped")
  func noInput() throws {
    let tool = try Tool("--debounce 1h --limit 1", command: ["sh", "-c", "cat; echo $COALESCE_DROPPED"])
    try tool.send("a\nb\n")
    #expect(try tool.finish() == .wrote("0\n"))
  }

  @Test("COALESCE_LAST: has the bytes of the line up to a zero byte, at most 65,536 of them")
  func lastLine() throws {
    let print = ["sh", "-c", "printf %s \"$COALESCE_LAST\""]
    let bytes = try Tool("--next-turn", command: print)
    try bytes.send(Data([0xFF, 0x20, 0xC3, 0x00, 0x41, 0x0A]))
    #expect(try bytes.finish().output == [0xFF, 0x20, 0xC3])
    let long = try Tool("--next-turn", command: print)
    try long.send(String(repeating: "x", count: 300_000) + "\n")
    #expect(try long.finish().output == Array(repeating: UInt8(ascii: "x"), count: 65_536))
  }

  @Test("COALESCE_COUNT: replaces an inherited variable of the same name")
  func variables() throws {
    let tool = try Tool(
      "--next-turn", command: ["sh", "-c", "env | grep COALESCE_ | sort"],
      environment: ["COALESCE_COUNT": "7", "COALESCE_OTHER": "8"])
    try tool.send("a\n")
    #expect(
      try tool.finish() == .wrote("COALESCE_COUNT=1\nCOALESCE_DROPPED=0\nCOALESCE_LAST=a\nCOALESCE_OTHER=8\n")
    )
  }

  @Test("coalesce: the exit status is that of the last run", arguments: [("1\n", 1), ("1\n5\n", 5), ("", 0)])
  func status(_ lines: String, _ expected: Int32) throws {
    let tool = try Tool("--debounce 1h", command: ["sh", "-c", "exit $COALESCE_LAST"])
    try tool.send(lines)
    #expect(try tool.finish().status == expected)
  }

  @Test("coalesce: a command that is ended by signal n gives the status 128 + n")
  func deadlySignal() throws {
    let tool = try Tool("--next-turn", command: ["sh", "-c", "kill -KILL $$"])
    try tool.send("a\n")
    #expect(try tool.finish() == Outcome(status: 128 + 9, output: [], errors: []))
  }

  @Test(
    "coalesce: a missing command gives 127, a command that is not executable 126, with the reason",
    arguments: [
      ("/nowhere/command", 127, "No such file or directory"),
      ("no-such-command-here", 127, "No such file or directory"),
      ("/etc/passwd", 126, "Permission denied"), ("/", 126, "Permission denied"),
    ])
  func notStarted(_ command: String, _ status: Int32, _ reason: String) throws {
    let tool = try Tool("--next-turn", command: [command])
    try tool.send("a\n")
    let outcome = try tool.finish()
    #expect(
      outcome
        == Outcome(
          status: status, output: [], errors: Array("coalesce: cannot run \(command): \(reason)\n".utf8)))
  }

  #if os(Linux)
    @Test("coalesce: a command starts with default actions, no blocked signals, and a group of its own")
    func signals() throws {
      // Only the first signals are compared, because the C library reserves some of the others.
      let masks = try Tool("--next-turn", command: ["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"])
      try masks.send("a\n")
      let words = try masks.finish().text.split { $0.isWhitespace }
      try #require(words.count == 4)
      #expect(Int(words[1], radix: 16) == 0)
      #expect(Int(words[3], radix: 16).map { $0 & 0x7FFF_FFFF } == 0)
      // The first field of `stat` is the identifier of the process, and the fifth field is the identifier of
      // its process group.
      let groups = try Tool("--next-turn", command: ["cut", "-d ", "-f1,5", "/proc/self/stat"])
      try groups.send("a\n")
      let numbers = try groups.finish().text.split { $0.isWhitespace }
      #expect(numbers.count == 2 && numbers[0] == numbers[1])
    }
  #endif
}

#if os(Linux)
  import Foundation
  import Testing

  /// Signals that are sent to the built tool.
  @Suite(.serialized, .onOwnThreads) struct EndSignalTests {
    @Test(
      "coalesce: SIGINT, SIGTERM, SIGHUP and SIGQUIT write the pending line and exit with 128 + n",
      arguments: [2, 15, 1, 3])
    func pendingLine(_ number: Int32) throws {
      let tool = try Tool("--debounce 1h")
      try tool.send("a\nb\n")
      try tool.waitUntilIdle()
      tool.signal(number)
      #expect(tool.outcome() == Outcome(status: 128 + number, output: Array("b\n".utf8), errors: []))
    }

    @Test("coalesce: a signal during an addition of lines loses no line", arguments: ["", "--all"])
    func duringAddition(_ option: String) throws {
      // All lines fit into the pipe, and are read by one call.
      let lines = (1...10_000).map { "\($0 % 10000 + 10000)\n" }
      for _ in 1...20 {
        let tool = try Tool("--debounce 1h \(option)")
        try tool.send(lines.joined())
        while tool.unreadCount > 0 {}
        tool.signal(SIGTERM)
        let outcome = tool.outcome()
        #expect(outcome.status == 143)
        #expect(outcome.errors == [])
        // The signal may arrive before the lines are added.
        #expect(outcome.output.isEmpty || outcome.text == (option.isEmpty ? lines.last : lines.joined()))
      }
    }

    @Test("coalesce: a signal without pending lines exits with 128 + n")
    func nothingPending() throws {
      let tool = try Tool("--next-turn")
      try tool.send("a\n")
      #expect(tool.line() == "a")
      tool.signal(SIGTERM)
      #expect(tool.outcome() == Outcome(status: 143, output: [], errors: []))
    }

    @Test("coalesce: with a command a signal drops the pending lines")
    func pendingRun() throws {
      let tool = try Tool("--debounce 1h", command: ["echo", "run"])
      try tool.send("a\n")
      try tool.waitUntilIdle()
      tool.signal(SIGTERM)
      #expect(tool.outcome() == Outcome(status: 143, output: [], errors: []))
    }

    @Test(
      "coalesce: a signal ends the process group of the command, and no other run starts",
      arguments: [2, 15, 1, 3])
    func group(_ number: Int32) throws {
      let tool = try Tool("--next-turn", command: ["sh", "-c", "sleep 1000 & echo $$ $!; wait"])
      try tool.send("a\n")
      let processes = try #require(tool.line()).split(separator: " ").compactMap { Int32($0) }
      try #require(processes.count == 2)
      try tool.send("b\n")
      try tool.waitUntilIdle()
      tool.signal(number)
      #expect(tool.outcome() == Outcome(status: 128 + number, output: [], errors: []))
      #expect(!processes.contains(where: isAlive))
    }

    @Test("coalesce: after a signal a command may end in its own way")
    func ownWay() throws {
      let tool = try Tool(
        "--next-turn",
        command: savingCommand)
      try tool.send("a\n")
      #expect(tool.line() == "ready")
      tool.signal(SIGTERM)
      #expect(tool.outcome() == Outcome(status: 143, output: Array("saved\n".utf8), errors: []))
    }

    /// A command that prints a word when another process of its group sleeps. After SIGTERM, it saves for a
    /// tenth of a second.
    ///
    /// SIGTERM would be lost in a process that the shell has forked: until the process becomes `sleep`, it
    /// has the trap of the shell.
    private var savingCommand: [String] {
      let start = "sleep 1000 & until read name </proc/$!/comm && [ $name = sleep ]; do :; done"
      return ["sh", "-c", "trap 'sleep 0.1; echo saved; exit' TERM; \(start); echo ready; wait"]
    }

    @Test("coalesce: a second signal kills the group and exits immediately")
    func secondSignal() throws {
      let tool = try Tool(
        "--next-turn --grace 1h",
        command: ["sh", "-c", "trap 'echo asked' TERM; echo $$; while :; do sleep 1000 & wait; done"])
      try tool.send("a\n")
      let shell = try #require(tool.line().flatMap { Int32($0) })
      tool.signal(SIGTERM)
      #expect(tool.line() == "asked")
      tool.signal(SIGINT)
      let outcome = tool.silentOutcome()
      #expect(outcome == Outcome(status: 130, output: [], errors: []))
      // The kill precedes the exit, but the shell may end after the exit.
      while isAlive(shell) { usleep(1000) }
    }

    @Test("coalesce: the same signal twice is one request to end a filter", arguments: [2, 15, 1, 3])
    func repeatedSignal(_ number: Int32) throws {
      for _ in 1...4 {
        let tool = try Tool("--debounce 1h --stats")
        try tool.send("a\nb\n")
        try tool.waitUntilIdle()
        tool.signal(number)
        usleep(300)
        tool.signal(number)
        let outcome = tool.outcome()
        #expect(outcome.status == 128 + number)
        #expect(outcome.text == "b\n")
        #expect(outcome.message.hasPrefix("coalesce: 2 lines, 0 dropped\n"))
      }
    }

    @Test("coalesce: the same signal twice is one request to end a command")
    func repeatedSignalWithCommand() throws {
      let tool = try Tool(
        "--next-turn --grace 1h --stats",
        command: savingCommand)
      try tool.send("a\n")
      #expect(tool.line() == "ready")
      tool.signal(SIGTERM)
      usleep(300)
      tool.signal(SIGTERM)
      let outcome = tool.outcome()
      #expect(outcome.status == 143)
      #expect(outcome.text == "saved\n")
      #expect(outcome.message.hasPrefix("coalesce: 1 line, 0 dropped\n"))
    }

    @Test("coalesce: the same signal after half a second kills the group and exits immediately")
    func lateRepetition() throws {
      let tool = try Tool(
        "--next-turn --grace 1h",
        command: ["sh", "-c", "trap 'echo asked' TERM; echo $$; while :; do sleep 1000 & wait; done"])
      try tool.send("a\n")
      let shell = try #require(tool.line().flatMap { Int32($0) })
      tool.signal(SIGTERM)
      #expect(tool.line() == "asked")
      usleep(600_000)
      tool.signal(SIGTERM)
      #expect(tool.silentOutcome() == Outcome(status: 143, output: [], errors: []))
      while isAlive(shell) { usleep(1000) }
    }

    @Test("--grace: a process of the group that ignores SIGTERM is killed after the given time")
    func deafMember() throws {
      let tool = try Tool("--next-turn --grace 50ms", command: deafCommand)
      try tool.send("a\n")
      let member = try #require(tool.line().flatMap { Int32($0) })
      tool.signal(SIGTERM)
      #expect(tool.outcome().status == 143)
      while isAlive(member) { usleep(1000) }
    }

    @Test("coalesce: a second signal kills a process of the group whose command has ended")
    func secondSignalToMember() throws {
      let tool = try Tool("--next-turn --grace 1h", command: deafCommand)
      try tool.send("a\n")
      let member = try #require(tool.line().flatMap { Int32($0) })
      tool.signal(SIGTERM)
      let parent = try #require(tool.line().flatMap { Int32($0) })
      while isAlive(parent) { usleep(1000) }
      tool.signal(SIGINT)
      #expect(tool.outcome().status == 130)
      while isAlive(member) { usleep(1000) }
    }

    /// A command that prints the number of a process that ignores SIGTERM. After SIGTERM, it prints its own
    /// number and exits.
    private var deafCommand: [String] {
      ["sh", "-c", "(trap '' TERM; exec sleep 1000) & trap 'echo $$; exit' TERM; sleep 0.1; echo $!; wait"]
    }

    @Test("coalesce: a signal after the end of the input decides the status")
    func afterEndOfInput() throws {
      // The end of the job and the signal race with each other.
      for _ in 1...5 {
        let tool = try Tool("--next-turn", command: ["sh", "-c", "sleep 1000 & echo run; wait"])
        try tool.send("a\n")
        #expect(tool.line() == "run")
        try tool.endInput()
        tool.signal(SIGINT)
        #expect(tool.outcome() == Outcome(status: 130, output: [], errors: []))
      }
    }

    @Test(
      "coalesce: a signal that is ignored at the start stays ignored",
      arguments: [
        ("trap '' HUP; exec \"$@\"", SIGHUP), ("exec nohup \"$@\"", SIGHUP),
        ("trap '' QUIT; exec \"$@\"", SIGQUIT),
      ])
    func ignored(_ shell: String, _ number: Int32) throws {
      let tool = try Tool("--debounce 1h", shell: shell)
      try tool.send("a\n")
      try tool.waitUntilIdle()
      tool.signal(number)
      try tool.waitUntilIdle()
      #expect(try tool.finish() == .wrote("a\n"))
    }

    @Test("coalesce: after the end of the input during a run, the tool waits for the run")
    func awaitsRun() throws {
      let tool = try Tool("--next-turn", command: ["sh", "-c", "echo start; sleep 0.1; echo end; exit 4"])
      try tool.send("a\n")
      #expect(tool.line() == "start")
      #expect(try tool.finish() == Outcome(status: 4, output: Array("end\n".utf8), errors: []))
    }
  }
#endif

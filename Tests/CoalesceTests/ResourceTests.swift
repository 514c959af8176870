#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The built tool when it lacks resources. It ends with a reason, and does not wait.
  @Suite(.serialized, .onOwnThreads) struct ResourceTests {
    @Test("--stdin: no directory for temporary files is needed")
    func noTemporaryFile() throws {
      let tool = try Tool("--next-turn --stdin", command: ["cat"], environment: ["TMPDIR": "/nowhere"])
      try tool.send("a\n")
      #expect(try tool.finish() == .wrote("a\n"))
    }

    @Test("coalesce: four descriptors suffice")
    func fewDescriptors() throws {
      for (options, command) in [("--stdin", ["cat"]), ("", [])] {
        let tool = try Tool("--next-turn \(options)", command: command, shell: "ulimit -n 4; exec \"$@\"")
        try tool.send("a\n")
        #expect(try tool.finish() == .wrote("a\n"))
      }
    }

    @Test("coalesce: the tool ends with a reason if there is too little memory for its threads")
    func littleMemory() throws {
      // The limits are in kilobytes. Below the first of them, the loader of programs fails.
      func outcome(_ limit: Int) throws -> Outcome {
        // The shell writes the line. If the test wrote it, the write would fail when the tool exits before it
        // reads.
        try Tool("--next-turn", shell: "echo a | (ulimit -v \(limit); exec \"$@\")").finish()
      }
      var (short, limit) = (20_000, 4_000_000)
      try #require(try outcome(limit) == .wrote("a\n"))
      while limit - short > 1000 {
        let middle = (short + limit) / 2
        if try outcome(middle) == .wrote("a\n") { limit = middle } else { short = middle }
      }
      var reasons: Set<String> = []
      for step in 0..<20 {
        let outcome = try outcome(short - 500 * step)
        #expect(outcome.status != 0)
        if outcome.message.hasPrefix("coalesce: ") { reasons.insert(outcome.message) }
      }
      #expect(
        reasons.contains(
          "coalesce: cannot start a thread: Resource temporarily unavailable; compare ulimit -a\n"))
      // With less room, the C library maps each allocation of a thread separately. Code that is not optimised
      // makes so many of them that this takes seconds.
      let room = isDebug ? 290_000 : 30_000
      try outOfMemory(limit + room)
      for options in isDebug ? [""] : ["", "--all", "--distinct", "--timestamps"] {
        try longLines(options, limit + room)
      }
    }

    /// Sends lines of which only some fit into memory. The tool reports the others, and delivers an earlier
    /// line.
    private func longLines(_ options: String, _ limit: Int) throws {
      let hasEarlierLine = options.isEmpty
      for megabytes in isDebug ? [2, 16, 40, 90] : [2, 8, 10, 12, 14, 16, 20, 24, 90] {
        let feed = try Feed("\(hasEarlierLine ? "echo a; " : "")head -c \(megabytes)M /dev/zero; echo")
        let tool = try Tool(
          "--debounce 1h --limit 80M \(options)", reading: feed.output,
          shell: "unset MALLOC_ARENA_MAX; ulimit -v \(limit); exec \"$@\"")
        try feed.output.close()
        try feed.end()
        let outcome = tool.outcome()
        if outcome.status == 0 {
          #expect(outcome.output.suffix(megabytes << 20 + 1).count == megabytes << 20 + 1)
          #expect(outcome.errors == [])
        } else {
          #expect(outcome.status == 1)
          #expect(outcome.message.hasSuffix("coalesce: cannot read standard input: Cannot allocate memory\n"))
          if hasEarlierLine { #expect(outcome.output == Array("a\n".utf8)) }
          let count = hasEarlierLine ? 2 : 1
          let isAnnounced = outcome.message.contains(
            "dropped the newest 1 line of \(count), for lack of memory")
          #expect(isAnnounced || outcome.message.split(separator: "\n").count == 1)
        }
        if megabytes == 2 || megabytes == 90 { #expect((outcome.status == 0) == (megabytes == 2)) }
      }
    }

    /// Sends more lines than fit into memory. In a debug build, longer lines fill it with less work.
    private func outOfMemory(_ limit: Int) throws {
      let feed = try Feed(isDebug ? "yes $(printf %01000d 0) | head -n 1000000" : "seq 1 10000000")
      let tool = try Tool(
        "--debounce 1h --all --limit none", reading: feed.output,
        writing: FileHandle(forWritingAtPath: "/dev/null"),
        shell: "unset MALLOC_ARENA_MAX; ulimit -v \(limit); exec \"$@\"")
      try feed.output.close()
      let outcome = tool.silentOutcome()
      #expect(outcome.status == 1)
      let lines = outcome.message.split(separator: "\n")
      #expect(lines.count == 3)
      #expect(lines.first?.hasSuffix("for lack of memory") == true)
      #expect(lines.last == "coalesce: cannot read standard input: Cannot allocate memory")
      try feed.end()
    }
  }
#endif

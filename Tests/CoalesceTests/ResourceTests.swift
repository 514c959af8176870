#if os(Linux)
  import Foundation
  import Testing

  /// The built tool without what it needs: an end with a reason, not a wait.
  @Suite(.serialized) struct ResourceTests {
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

    @Test("coalesce: with too little memory for its threads it ends with a reason")
    func littleMemory() throws {
      // Kilobytes. The loader of programs fails below the first ones.
      var reasons: Set<String> = []
      var limit = 20_000
      while true {
        try #require(limit < 4_000_000)
        let tool = try Tool("--next-turn", shell: "ulimit -v \(limit); exec \"$@\"")
        try? tool.send("a\n")
        let outcome = try tool.finish()
        if outcome == .wrote("a\n") { break }
        #expect(outcome.status != 0)
        if outcome.message.hasPrefix("coalesce: ") { reasons.insert(outcome.message) }
        limit += 1000
      }
      #expect(
        reasons.contains(
          "coalesce: cannot start a thread: Resource temporarily unavailable; compare ulimit -a\n"))
      try outOfMemory(limit + 30_000)
    }

    /// More lines than fit into memory.
    private func outOfMemory(_ limit: Int) throws {
      let feed = try Feed("seq 1 10000000")
      let tool = try Tool(
        "--debounce 1h --all --limit none", reading: feed.output,
        writing: FileHandle(forWritingAtPath: "/dev/null"),
        shell: "ulimit -v \(limit); exec \"$@\"")
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

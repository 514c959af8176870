#if os(Linux)
  import Foundation
  import Testing

  /// The processes that runs leave in their process groups.
  @Suite(.serialized, .onOwnThreads) struct GroupTests {
    /// Returns a command that leaves a process and prints its number. With a trap, the process ignores
    /// SIGTERM.
    private func command(_ trap: String = "") -> [String] {
      ["sh", "-c", "(\(trap)exec sleep 1000 >/dev/null 2>&1) & sleep 0.05; echo $!"]
    }

    @Test("coalesce: the processes that a finished run has left continue, also with restart")
    func goOn() throws {
      let tool = try Tool("--next-turn --when-busy restart", command: command())
      var left: [Int32] = []
      for _ in 1...2 {
        try tool.send("a\n")
        left.append(try #require(tool.line().flatMap { Int32($0) }))
        // The shell ends after it has written the line. Another line would end a run that is still in
        // progress.
        while states(ofChildrenOf: tool.processID).contains(where: { $0 != "Z" }) { usleep(1000) }
        try tool.waitUntilIdle()
      }
      try tool.endInput()
      // The tool has exited when its output is closed. The processes that are left do not hold the output
      // open.
      #expect(tool.line() == nil)
      for process in left {
        #expect(isAlive(process))
        kill(process, SIGKILL)
      }
      #expect(tool.outcome() == .wrote(""))
    }

    @Test(
      "--kill-group: processes that a run has left are ended before the next run, and by a signal",
      arguments: ["", "trap '' TERM; "])
    func killGroup(_ trap: String) throws {
      let tool = try Tool("--next-turn --kill-group --grace 50ms", command: command(trap))
      var last: Int32?
      for _ in 1...3 {
        try tool.send("a\n")
        let next = try #require(tool.line().flatMap { Int32($0) })
        if let last { #expect(!isAlive(last)) }
        #expect(isAlive(next))
        last = next
      }
      try tool.waitUntilIdle()
      // A process that has exited but was not reaped keeps the number of the group in use.
      #expect(zombies(of: tool.processID) <= 1)
      tool.signal(SIGINT)
      #expect(tool.outcome() == Outcome(status: 130, output: [], errors: []))
      #expect(try !isAlive(#require(last)))
    }

    @Test("--kill-group: processes that the last run has left continue after the end of the input")
    func endOfInput() throws {
      let tool = try Tool("--next-turn --kill-group", command: command())
      try tool.send("a\n")
      let left = try #require(tool.line().flatMap { Int32($0) })
      try tool.endInput()
      #expect(tool.line() == nil)
      #expect(isAlive(left))
      kill(left, SIGKILL)
      #expect(tool.outcome() == .wrote(""))
    }

    @Test("--when-busy restart: 140,000 lines leave no zombie and no descriptor, and use little memory")
    func manyRestarts() throws {
      let tool = try Tool("--next-turn --when-busy restart", command: ["sleep", "1000"])
      for _ in 1...140 { try tool.send(String(repeating: "a line\n", count: 1000)) }
      try tool.waitUntilIdle()
      #expect(zombies(of: tool.processID) == 0)
      let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(tool.processID)/fd")
      #expect(files.count <= 7)
      #expect(try tool.peakMemory() < 32 << 20)
      let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(tool.processID)/task")
      // The main thread and the five threads that it starts. A thread pool may fail to start a thread when it
      // needs one.
      #expect(threads.count == 6)
      tool.signal(SIGTERM)
      #expect(tool.outcome() == Outcome(status: 143, output: [], errors: []))
    }

    /// Returns the number of exited children of a process that were not waited for.
    private func zombies(of parent: Int32) -> Int { states(ofChildrenOf: parent).count { $0 == "Z" } }

    /// Returns the states of the children of a process, in the kernel's abbreviations.
    private func states(ofChildrenOf parent: Int32) -> [Substring] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { name in
        guard Int32(name) != nil,
          let stat = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)
        else { return nil }
        let words = stat.split(separator: ")").last?.split(separator: " ") ?? []
        return words.count > 1 && words[1] == "\(parent)" ? words[0] : nil
      }
    }
  }
#endif

#if os(Linux)
  import Foundation
  import Testing

  /// The built tool in the environments in which other programs start it.
  @Suite(.serialized, .onOwnThreads) struct SurroundingsTests {
    @Test("coalesce: a named pipe is read until its last writer closes it")
    func namedPipe() throws {
      let gate = try Gate()
      let tool = try Tool("--next-turn", shell: "exec \"$@\" <\(gate.path)")
      try gate.open()
      #expect(tool.outcome() == .wrote("\n"))
    }

    @Test("coalesce: runs in a session without a terminal")
    func session() throws {
      let tool = try Tool("--next-turn", command: ["sh", "-c", "echo run"], shell: "exec setsid -w \"$@\"")
      try tool.send("a\n")
      #expect(try tool.finish() == .wrote("run\n"))
    }

    @Test("coalesce: if no file is open, the input cannot be read, and the status says so")
    func closedFiles() throws {
      let tool = try Tool("--next-turn", command: ["true"], shell: "exec \"$@\" <&- >&- 2>&-")
      #expect(tool.outcome() == Outcome(status: 1, output: [], errors: []))
    }

    @Test("coalesce: an unwritable message does not change the status", arguments: ["2>&-", "2>/dev/full"])
    func lostMessage(_ redirection: String) throws {
      let tool = try Tool("--next-turn", command: ["/nowhere/command"], shell: "exec \"$@\" \(redirection)")
      try tool.send("a\n")
      #expect(try tool.finish() == Outcome(status: 127, output: [], errors: []))
    }

    @Test(
      "coalesce: the first process of a container runs commands, and a signal ends it",
      .enabled(if: hasContainers))
    func firstProcess() throws {
      let container = "exec unshare --map-root-user --pid --fork \"$@\""
      let tool = try Tool("--next-turn", command: ["sh", "-c", "echo $PPID"], shell: container)
      try tool.send("a\n")
      #expect(try tool.finish() == .wrote("1\n"))
      let ended = try Tool(
        "--next-turn", command: ["sh", "-c", "echo ready; kill -TERM $PPID; sleep 1000"], shell: container)
      try ended.send("a\n")
      #expect(ended.line() == "ready")
      #expect(ended.outcome() == Outcome(status: 143, output: [], errors: []))
    }

    @Test("coalesce: without /proc the tool reports its missing arguments", .enabled(if: hasContainers))
    func noProcesses() throws {
      let script = "mount -t tmpfs none /proc && exec \"$@\""
      let tool = try Tool(
        "--version", shell: "exec unshare --map-root-user --mount sh -c '\(script)' sh \"$@\"")
      let message = "coalesce: cannot read the arguments: /proc is not mounted\n"
      #expect(tool.outcome() == Outcome(status: 1, output: [], errors: Array(message.utf8)))
    }

    @Test(
      "coalesce: a command whose standard input cannot be opened gives 127", .enabled(if: hasContainers))
    func noEmptyInput() throws {
      // A device on such a mount cannot be opened.
      let script = "mount --bind /dev/null /dev/null && mount -o remount,bind,nodev /dev/null && exec \"$@\""
      let tool = try Tool(
        "--next-turn", command: ["true"],
        shell: "exec unshare --map-root-user --mount sh -c '\(script)' sh \"$@\"")
      try tool.send("a\n")
      let message = "coalesce: cannot run true: cannot open /dev/null: Permission denied\n"
      #expect(try tool.finish() == Outcome(status: 127, output: [], errors: Array(message.utf8)))
    }

    /// Whether the user may create a namespace of processes.
    private static let hasContainers: Bool = {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "unshare --map-root-user --pid --fork true 2>/dev/null"]
      try? process.run()
      process.waitUntilExit()
      return process.terminationStatus == 0
    }()
  }
#endif

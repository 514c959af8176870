#if os(Linux)
  import Foundation
  import Testing

  /// The built tool when its commands use the terminal.
  @Suite(.serialized, .onOwnThreads) struct TerminalTests {
    private static let notice =
      "coalesce: sh was stopped because it uses the terminal, and is ended: see --foreground\n"

    @Test(
      "coalesce: a command that reads from the terminal is reported and ended",
      arguments: ["", "trap 'read y </dev/tty' TERM; "])
    func reader(_ trap: String) throws {
      // Without a trap the command ends by the first signal, however late it has a turn on a busy machine.
      let grace = trap.isEmpty ? "1min" : "50ms"
      let session = try TerminalSession(
        """
        echo a | "$1" --next-turn --grace \(grace) -- sh -c "\(trap)read x </dev/tty; echo got it"; echo status $?
        """)
      let text = session.end()
      // The notice is written once, even if the command uses the terminal again while it ends. The command is
      // then killed.
      #expect(text == "\(Self.notice)status \(trap.isEmpty ? 143 : 137)\n")
    }

    @Test("coalesce: a command that writes to a terminal with tostop is reported and ended")
    func writer() throws {
      let session = try TerminalSession(
        """
        stty tostop; echo a | "$1" --next-turn -- sh -c "echo out"; echo status $?
        """)
      #expect(session.end() == "\(Self.notice)status 143\n")
    }

    @Test("coalesce: the tool waits for a command that is stopped for another reason")
    func stopped() throws {
      let tool = try Tool("--next-turn", command: ["sh", "-c", "echo $$; kill -STOP $$; echo on"])
      try tool.send("a\n")
      let command = try #require(tool.line().flatMap { Int32($0) })
      while try state(of: command) != "T" { usleep(1000) }
      kill(command, SIGCONT)
      #expect(try tool.finish() == .wrote("on\n"))
    }

    @Test("coalesce: a stopped command is continued by a signal, and ends without the grace period")
    func stoppedEnd() throws {
      let tool = try Tool("--next-turn --grace 1h", command: ["sh", "-c", "echo $$; kill -STOP $$"])
      try tool.send("a\n")
      let command = try #require(tool.line().flatMap { Int32($0) })
      while try state(of: command) != "T" { usleep(1000) }
      tool.signal(SIGINT)
      #expect(tool.outcome() == Outcome(status: 130, output: [], errors: []))
      #expect(!isAlive(command))
    }

    @Test(
      "--foreground: a command can read the terminal, its standard input",
      arguments: [#"read x </dev/tty; echo "got $x""#, #"read x; echo "got $x""#])
    func dialogue(_ script: String) throws {
      let session = try TerminalSession(
        """
        stty tostop; echo a | "$1" --next-turn --foreground -- sh -c 'echo ready; \(script)'; echo status $?
        """)
      try session.wait(for: "ready\n")
      try session.type("hello\n")
      #expect(session.end().hasSuffix("got hello\nstatus 0\n"))
    }

    @Test("--foreground: the interrupt key ends the command and the tool")
    func interrupt() throws {
      let session = try TerminalSession(
        """
        trap : INT
        echo a | "$1" --next-turn --foreground -- sh -c 'echo ready; exec sleep 1000'
        echo status $?
        """)
      try session.wait(for: "ready\n")
      try session.type("\u{3}")
      #expect(session.end().hasSuffix("status 130\n"))
    }

    @Test("coalesce: the suspend key stops both the command and the tool, and both continue")
    func suspend() throws {
      // With job control, the shell starts the tool in a process group of its own, as it does for a user, and
      // `fg` continues that group.
      let session = try TerminalSession(
        """
        set -m
        "$1" --now --debounce 1h -- sh -c 'echo "command $$;"; exec sleep 1000'
        echo stopped; read x; fg >/dev/null; echo status $?
        """)
      try session.wait(for: ";\n")
      let command = try #require(session.number(after: "command "))
      try session.type("\u{1A}")
      try session.wait(for: "stopped\n")
      while try state(of: command) != "T" { usleep(1000) }
      try session.type("\n")
      while try state(of: command) == "T" { usleep(1000) }
      try session.type("\u{3}")
      #expect(session.end().hasSuffix("status 130\n"))
      #expect(!isAlive(command))
    }

    @Test("coalesce: the suspend key has no effect where no shell can continue the tool")
    func suspendOrphan() throws {
      let session = try TerminalSession(
        """
        trap : INT
        "$1" --now --next-turn -- sh -c 'echo "run $COALESCE_COUNT;"'; echo status $?
        """)
      try session.wait(for: "run 0;\n")
      try session.type("\u{1A}a\n")
      try session.wait(for: "run 1;\n")
      try session.type("\u{3}")
      #expect(session.end().hasSuffix("status 130\n"))
    }

    @Test("--foreground: the command is in the tool's process group, and is ended alone")
    func sharedGroup() throws {
      let tool = try Tool(
        "--next-turn --foreground --grace 1h",
        command: ["sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $$ $! $PPID; wait"])
      try tool.send("a\n")
      let processes = try #require(tool.line()).split(separator: " ").compactMap { Int32($0) }
      try #require(processes.count == 3)
      #expect(getpgid(processes[0]) == getpgid(processes[2]))
      tool.signal(SIGINT)
      // The tool has exited when its output is closed. The other process does not hold the output open.
      #expect(tool.line() == nil)
      #expect(!isAlive(processes[0]))
      #expect(isAlive(processes[1]))
      kill(processes[1], SIGKILL)
      #expect(tool.outcome() == Outcome(status: 130, output: [], errors: []))
    }

    @Test("--foreground: a command that ignores SIGTERM is killed after the grace period")
    func deafCommand() throws {
      let tool = try Tool(
        "--next-turn --foreground --grace 50ms",
        command: ["sh", "-c", "trap '' TERM; echo $$; exec sleep 1000"])
      try tool.send("a\n")
      let command = try #require(tool.line().flatMap { Int32($0) })
      tool.signal(SIGINT)
      #expect(tool.outcome() == Outcome(status: 130, output: [], errors: []))
      #expect(!isAlive(command))
    }

    @Test("--clear: clears the terminal before each run, and writes nothing into a pipe")
    func clear() throws {
      let session = try TerminalSession(
        """
        export TERM=xterm; echo a | "$1" --debounce 1h --clear -- echo run
        """)
      #expect(session.end() == "\u{1B}[H\u{1B}[2Jrun\n")
      let tool = try Tool("--next-turn --clear", command: ["echo", "run"])
      try tool.send("a\n")
      #expect(try tool.finish() == .wrote("run\n"))
    }

    /// Returns the state of a process, as `ps` writes it.
    private func state(of process: Int32) throws -> String {
      let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      // The state follows the name, which is in parentheses.
      return String(try #require(stat.split(separator: ")").last?.split(separator: " ").first))
    }
  }
#endif

import Foundation
import Testing

/// The built tool when its input or output fails.
@Suite(.serialized, .onOwnThreads) struct FailureTests {
  @Test("coalesce: an input that cannot be read is reported, with status 1", arguments: ["</", "<&-"])
  func unreadableInput(_ redirection: String) throws {
    let outcome = try Tool("--next-turn", shell: "exec \"$@\" \(redirection)").outcome()
    let reason = redirection == "</" ? "Is a directory" : "Bad file descriptor"
    #expect(
      outcome
        == Outcome(
          status: 1, output: [], errors: Array("coalesce: cannot read standard input: \(reason)\n".utf8)))
  }

  @Test("coalesce: a closed descriptor is reported, with status 1")
  func closedDescriptor() throws {
    let tool = try Tool("--next-turn", shell: "exec \"$@\" >&-")
    try tool.send("a\n")
    let outcome = tool.outcome()
    #expect(outcome.status == 1)
    #expect(outcome.message == "coalesce: cannot write standard output: Bad file descriptor\n")
  }

  #if os(Linux)
    @Test(
      "coalesce: a full device is reported, with status 1", arguments: ["--next-turn", "--help", "--man"])
    func fullDevice(_ options: String) throws {
      let tool = try Tool(options, writing: FileHandle(forWritingAtPath: "/dev/full"))
      // Tools with other options do not read, and end immediately.
      if options == "--next-turn" { try tool.send("a\n") }
      let outcome = tool.silentOutcome()
      #expect(outcome.status == 1)
      #expect(outcome.message == "coalesce: cannot write standard output: No space left on device\n")
    }

    @Test("coalesce: the tool waits for a full pipe that does not block")
    func fullPipe() throws {
      let pipe = Pipe()
      let end = pipe.fileHandleForWriting.fileDescriptor
      #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0)
      var filling = Data(repeating: UInt8(ascii: "."), count: 1 << 16)
      var filled = 0
      while case let count = filling.withUnsafeMutableBytes({ write(end, $0.baseAddress, $0.count) }),
        count > 0
      {
        filled += count
      }
      let tool = try Tool("--debounce 1h --all", writing: pipe.fileHandleForWriting)
      try pipe.fileHandleForWriting.close()
      let lines = String(repeating: "a line\n", count: 50_000)
      try tool.send(lines)
      try tool.endInput()
      let written = try pipe.fileHandleForReading.readToEnd() ?? Data()
      #expect(tool.silentOutcome() == .wrote(""))
      #expect(written.dropFirst(filled) == Data(lines.utf8))
    }

    @Test("coalesce: the tool waits for an empty input that does not block")
    func emptyPipe() throws {
      let pipe = Pipe()
      #expect(fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFL, O_NONBLOCK) == 0)
      let tool = try Tool("--next-turn", reading: pipe.fileHandleForReading)
      try tool.waitUntilIdle()
      try pipe.fileHandleForWriting.write(contentsOf: Data("a\n".utf8))
      #expect(tool.line() == "a")
      try pipe.fileHandleForWriting.close()
      #expect(tool.outcome() == .wrote(""))
    }
  #endif

  @Test("coalesce: a closed pipe ends the tool with status 141 and without a message")
  func closedPipe() throws {
    let tool = try Tool("--next-turn")
    try tool.closeOutput()
    try tool.send("a\n")
    #expect(tool.silentOutcome() == Outcome(status: 141, output: [], errors: []))
  }
}

import Dispatch
import Foundation
import Synchronization
import Testing
import coalesce

/// The built tool between real pipes. An hour stands for a time that does not come; where one does, the
/// tests know its lower bound only.
@Suite(.serialized) struct EndToEndTests {
  @Test(arguments: [
    ("--debounce 1h", "b\n"),
    ("--debounce 1h --max-wait 2h", "b\n"),
    ("--debounce 1h --edges trailing", "b\n"),
    ("--throttle 1h --edges trailing", "b\n"),
    ("--audit 1h", "b\n"),
  ])
  func `what waits is written at the end of input, the newest line`(_ options: String, _ expected: String)
    throws
  {
    let tool = try Tool(options)
    try tool.send("a\nb\n")
    #expect(try tool.finish() == .wrote(expected))
  }

  @Test(arguments: [
    ("--debounce 1h --edges both", "c\n"),
    ("--debounce 1h --edges leading", ""),
    ("--throttle 1h", "c\n"),
    ("--throttle 1h --edges both", "c\n"),
    ("--throttle 1h --edges leading", ""),
  ])
  func `a leading edge writes the first line at once`(_ options: String, _ rest: String) throws {
    let tool = try Tool(options)
    try tool.send("a\n")
    #expect(tool.line() == "a")
    try tool.send("b\nc\n")
    #expect(try tool.finish() == .wrote(rest))
  }

  @Test func `debounce writes the newest line when it has been quiet`() throws {
    let tool = try Tool("--debounce 50ms")
    try tool.send("a\nb\n")
    #expect(try tool.arrival(of: "b") >= tool.start + .milliseconds(50))
    #expect(try tool.finish() == .wrote(""))
  }

  @Test func `audit writes the newest line when its time is over`() throws {
    let tool = try Tool("--audit 50ms")
    try tool.send("a\nb\n")
    #expect(try tool.arrival(of: "b") >= tool.start + .milliseconds(50))
    #expect(try tool.finish() == .wrote(""))
  }

  @Test func `throttle never withholds the last line`() throws {
    let tool = try Tool("--throttle 50ms")
    try tool.send("a\n")
    #expect(tool.line() == "a")
    try tool.send("b\nc\n")
    #expect(try tool.arrival(of: "c") >= tool.start + .milliseconds(50))
    #expect(try tool.finish() == .wrote(""))
  }

  @Test func `next turn keeps up with a slow input`() throws {
    let tool = try Tool("--next-turn")
    for line in ["a", "b", ""] {
      try tool.send("\(line)\n")
      #expect(tool.line() == line)
    }
    #expect(try tool.finish() == .wrote(""))
  }

  @Test func `max-wait puts off no storm for ever`() throws {
    let tool = try Tool("--debounce 100ms --max-wait 150ms")
    let storm = Storm(tool)
    #expect(try tool.arrival(of: "storm") >= tool.start + .milliseconds(100))
    #expect(storm.isRaging, "it came when the storm was over")
    storm.end()
    #expect(try tool.finish().status == 0)
  }

  @Test func `a last line without a newline is a line`() throws {
    let tool = try Tool("--debounce 1h")
    try tool.send("a\nb")
    #expect(try tool.finish() == .wrote("b\n"))
  }

  @Test func `bytes that are no text come out as they went in`() throws {
    let tool = try Tool("--next-turn")
    try tool.send(Data([0xFF, 0x00, 0xC3, 0x0D, 0x0A]))
    let outcome = try tool.finish()
    #expect(outcome.output == [0xFF, 0x00, 0xC3, 0x0D, 0x0A])
  }

  @Test func `no input makes no output`() throws {
    #expect(try Tool("--next-turn").finish() == .wrote(""))
  }

  @Test(arguments: ["", "--debounce soon", "--nonsense", "--audit 1s --throttle 1s"])
  func `a wrong option is answered with the usage`(_ options: String) throws {
    let outcome = try Tool(options).outcome()
    #expect(outcome.status == 64)
    #expect(outcome.output == [])
    let errors = String(decoding: outcome.errors, as: UTF8.self)
    #expect(errors.hasPrefix("coalesce: "))
    #expect(errors.hasSuffix("\n\(Options.usage)"))
  }

  @Test func `help is no mistake`() throws {
    #expect(try Tool("--help").outcome() == .wrote(Options.usage))
  }

  @Test func `an input that cannot be read is no empty input`() throws {
    let directory = try #require(FileHandle(forReadingAtPath: "/"))
    let outcome = try Tool("--next-turn", reading: directory).outcome()
    #expect(outcome.status == 1)
    #expect(outcome.output == [])
    #expect(
      String(decoding: outcome.errors, as: UTF8.self).hasPrefix("coalesce: cannot read standard input: "))
  }

  @Test func `an output that is closed ends the tool, quietly`() throws {
    let tool = try Tool("--next-turn")
    try tool.closeOutput()
    try tool.send("a\n")
    let outcome = tool.silentOutcome()
    // Ended by the signal, or by the error where the signal is ignored.
    #expect(outcome.status == SIGPIPE || outcome.status == EXIT_FAILURE)
    #expect(outcome.errors == [])
  }

  #if os(Linux)
    @Test func `a stream without a newline takes no memory`() throws {
      let tool = try Tool("--debounce 1h")
      let megabyte = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
      for _ in 1...64 {
        try tool.send(megabyte)
      }
      // All but what fits into the pipe has been read by now.
      let status = try String(contentsOfFile: "/proc/\(tool.processID)/status", encoding: .utf8)
      let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let kilobytes = try #require(peak?.split { !$0.isNumber }.first.flatMap { Int($0) })
      #expect(kilobytes < 48 << 10, "\(peak ?? "")")
      let outcome = try tool.finish()
      #expect(outcome.status == 0)
      #expect(outcome.output.count == (1 << 20) + 1)
    }
  #endif
}

/// Lines without a pause to speak of, for seconds if need be.
private final class Storm: Sendable {
  private let isWanted: Atomic<Bool> = Atomic(true)
  private let isOver: Atomic<Bool> = Atomic(false)
  private let thread: DispatchGroup = DispatchGroup()

  init(_ tool: Tool) {
    DispatchQueue.global().async(group: thread) { [self] in
      for _ in 1...5000 where isWanted.load(ordering: .relaxed) {
        try? tool.send("storm\n")
        // NB: the tool is a process of its own, and no clock but the real one is common to both.
        Thread.sleep(forTimeInterval: 0.001)
      }
      isOver.store(true, ordering: .relaxed)
    }
  }

  // Relaxed, all of them: the flags carry no data.
  var isRaging: Bool { !isOver.load(ordering: .relaxed) }

  func end() {
    isWanted.store(false, ordering: .relaxed)
    thread.wait()
  }
}

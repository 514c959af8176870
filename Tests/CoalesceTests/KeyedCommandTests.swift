import Foundation
import TestSupport
import Testing

/// The built tool with a window for each key.
@Suite(.serialized, .onOwnThreads) struct KeyedCommandTests {
  @Test("--by: the command gets the key in its arguments and its environment, and the lines of the key")
  func command() throws {
    let script = "echo \"$1 $2 $COALESCE_KEY $COALESCE_COUNT $COALESCE_LAST\"; cat"
    let tool = try Tool(
      "--by 1 --debounce 1h --stdin", command: ["sh", "-c", script, "sh", "k={}", "{}/{}"])
    try tool.send("a 1\nb 2\na 3\n")
    #expect(try tool.finish() == .wrote("k=a a/a a 2 a 3\na 1\na 3\nk=b b/b b 1 b 2\nb 2\n"))
  }

  @Test("--by: a key is passed as it is, never through a shell")
  func metacharacters() throws {
    let keys = ["$HOME", "`id`;", "$(id)|&", "*", "'\"", "a\\b", "-n", "{}", "~", "<x>", "#", "%s"]
    let tool = try Tool(
      "--by 1 --separator=, --debounce 1h --jobs 1", command: ["printf", "%s|%s\n", "{}", "[{}]"])
    try tool.send(keys.map { "\($0),x\n" }.joined())
    #expect(try tool.finish() == .wrote(keys.map { "\($0)|[\($0)]\n" }.joined()))
  }

  @Test("--by: a key need not be text, and keys that differ in any byte are different keys")
  func invalidText() throws {
    let tool = try Tool(
      "--by 1 --debounce 1h", command: ["sh", "-c", "printf %s \"$1$COALESCE_KEY,\"", "", "{}"])
    try tool.send(Data([0xFF, 0xC3, 0x20, 0x31, 0x0A, 0xFE, 0x0A, 0xFF, 0xC3, 0x20, 0x32, 0x0A]))
    #expect(try tool.finish().output == [0xFF, 0xC3, 0xFF, 0xC3, 0x2C, 0xFE, 0xFE, 0x2C])
  }

  @Test("--by: an empty key is an empty argument")
  func emptyKey() throws {
    let tool = try Tool(
      "--by 2 --debounce 1h", command: ["sh", "-c", "echo $# [$1] [$COALESCE_KEY] $COALESCE_COUNT", "", "{}"])
    try tool.send("a\n\nb c\n")
    #expect(try tool.finish() == .wrote("1 [] [] 2\n1 [c] [c] 1\n"))
  }

  @Test("--by 0 --null: a key may contain a newline")
  func newline() throws {
    let tool = try Tool("--by 0 --null --debounce 1h", command: ["printf", "[%s]", "{}"])
    try tool.send("a\nb\0c\0a\nb\0")
    #expect(try tool.finish() == .wrote("[a\nb][c]"))
  }

  @Test("--by: a long key is cut for the command, and the run succeeds")
  func longKey() throws {
    let tool = try Tool("--by 0 --debounce 1h", command: ["printf", "%s", "{}"])
    try tool.send(String(repeating: "x", count: 100_000) + "\n")
    #expect(try tool.finish() == .wrote(String(repeating: "x", count: 65_536)))
  }

  @Test("--jobs: as many commands as given run at the same time, and no more")
  func jobs() throws {
    let gates = try [Gate(), Gate(), Gate()]
    let tool = try Tool(
      "--by 1 --next-turn --jobs 2",
      command: ["sh", "-c", "echo start $1; read x <$2; echo end $1", "", "{}", "{}"])
    try tool.send(gates.map { "\($0.path)\n" }.joined())
    // The first two commands start in order, but may write in any order.
    #expect(Set([tool.line(), tool.line()]) == Set(gates[..<2].map { "start \($0.path)" }))
    try gates[1].open()
    #expect(tool.line() == "end \(gates[1].path)")
    #expect(tool.line() == "start \(gates[2].path)")
    try gates[2].open()
    #expect(tool.line() == "end \(gates[2].path)")
    try gates[0].open()
    #expect(try tool.finish() == .wrote("end \(gates[0].path)\n"))
  }

  @Test("--by: a failed command does not stop other keys, and the last status is that of the tool")
  func failure() throws {
    let tool = try Tool("--by 1 --debounce 1h", command: ["sh", "-c", "echo $1; exit $1", "", "{}"])
    try tool.send("3\n0\n5\n")
    #expect(try tool.finish() == Outcome(status: 5, output: Array("3\n0\n5\n".utf8), errors: []))
    let missing = try Tool("--by 1 --debounce 1h", command: ["/nowhere/command", "{}"])
    try missing.send("a\n")
    #expect(try missing.finish().status == 127)
  }

  @Test("--verbose: a run is reported with its key")
  func verbose() throws {
    let tool = try Tool("--by 1 --debounce 1h --verbose", command: ["sh", "-c", "exit 3", "{}"])
    try tool.send("a b\n")
    let message = try tool.finish().message
    #expect(message.wholeMatch(of: /coalesce: sh for "a": status 3 after [0-9]+\.[0-9]{3} s\n/) != nil)
  }

  @Test("--stats: the runs of all keys are one row")
  func statistics() throws {
    let tool = try Tool("--by 1 --debounce 1h --stats", command: ["true"])
    try tool.send("a 1\nb 1\na 2\n")
    let lines = try tool.finish().message.split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[0] == "coalesce: 3 lines, 0 dropped")
    #expect(lines[1].hasPrefix("coalesce: 2 runs for 2 signals, latency "))
  }

  @Test("--rate: runs are not more frequent than the rate, even at the end of the input")
  func rate() throws {
    let tool = try Tool("--by 0 --next-turn --rate 1/50ms", command: ["echo", "{}"])
    try tool.send("a\nb\nc\nd\n")
    try tool.endInput()
    for key in ["a", "b", "c"] { try tool.arrival(of: key) }
    #expect(try tool.arrival(of: "d") >= tool.start + .milliseconds(150))
    #expect(tool.outcome() == .wrote(""))
  }

  @Test("--rate: without --by a run includes the lines that arrive before the rate allows it")
  func rateOfAll() throws {
    let tool = try Tool("--next-turn --rate 1/100ms", command: ["sh", "-c", "echo $COALESCE_COUNT"])
    try tool.send("a\n")
    #expect(tool.line() == "1")
    try tool.send("b\n")
    try tool.send("c\n")
    #expect(try tool.finish() == .wrote("2\n"))
  }

  // MARK: Without a command

  @Test("--by: without a command each delivery writes the newest line of a key")
  func filter() throws {
    let tool = try Tool("--by 1 --debounce 1h")
    try tool.send("a 1\nb 1\na 2\n")
    #expect(try tool.finish() == .wrote("a 2\nb 1\n"))
  }

  @Test("--by --count: the key follows the number")
  func count() throws {
    let tool = try Tool("--by 1 --debounce 1h --count")
    try tool.send("a 1\nb 1\na 2\n\n")
    #expect(try tool.finish() == .wrote("2 a\n1 b\n1 \n"))
  }

  @Test("--by: more keys than the tool keeps at a time are delivered without a loss")
  func manyKeys() throws {
    // The input is longer than one read of the tool, so that lines follow its wait for room.
    let repeated = isDebug ? 2000 : 12_000
    let input = "(seq 1 12000; seq 1 \(repeated))"
    let outcome = try Tool("--by 0 --debounce 10ms --all", shell: "\(input) | \"$@\"").outcome()
    #expect(outcome.status == 0)
    #expect(outcome.errors == [])
    let lines = outcome.text.split(separator: "\n").compactMap { Int($0) }
    #expect(lines.sorted() == (Array(1...12_000) + Array(1...repeated)).sorted())
  }

  @Test("--by --edges leading: lines that no delivery takes are reported at the end, for all keys")
  func ignored() throws {
    let tool = try Tool("--by 1 --throttle 1h --edges leading --all")
    try tool.send("a 1\nb 1\n")
    #expect(tool.line() == "a 1")
    #expect(tool.line() == "b 1")
    try tool.send("a 2\nb 2\nb 3\n")
    let outcome = try tool.finish()
    #expect(outcome.output == [])
    #expect(
      outcome.message
        == "coalesce: dropped 3 lines at the end, because no delivery was due\n"
        + "coalesce: dropped 3 lines of 5 in total\n")
  }

  #if os(Linux)
    @Test("coalesce: a signal writes the pending line of each key", arguments: ["", "--rate 1/h"])
    func signal(_ options: String) throws {
      let tool = try Tool("--by 1 --debounce 1h \(options)")
      try tool.send("a 1\nb 1\na 2\n")
      try tool.waitUntilIdle()
      tool.signal(SIGTERM)
      #expect(tool.outcome() == Outcome(status: 143, output: Array("a 2\nb 1\n".utf8), errors: []))
    }

    @Test("--by --edges leading: a signal writes no line that the policy has ignored")
    func ignoredAtSignal() throws {
      let tool = try Tool("--by 1 --throttle 1h --edges leading --all")
      try tool.send("a 1\n")
      #expect(tool.line() == "a 1")
      try tool.send("a 2\n")
      try tool.waitUntilIdle()
      tool.signal(SIGTERM)
      let outcome = tool.outcome()
      #expect(outcome.output == [])
      #expect(outcome.message.hasPrefix("coalesce: dropped 1 line at the end, because no delivery was due\n"))
    }

    @Test("coalesce: a signal ends the process groups of all commands, and no other run starts")
    func groups() throws {
      let tool = try Tool(
        "--by 1 --next-turn --jobs 3", command: ["sh", "-c", "sleep 1000 & echo $$ $!; wait"])
      try tool.send("a\nb\nc\nd\n")
      let processes = try (1...3).flatMap { _ in
        try #require(tool.line()).split(separator: " ").compactMap { Int32($0) }
      }
      try tool.waitUntilIdle()
      tool.signal(SIGINT)
      #expect(tool.outcome() == Outcome(status: 130, output: [], errors: []))
      #expect(processes.count == 6)
      #expect(!processes.contains(where: isAlive))
    }

    @Test("coalesce: a signal lets each of many commands end in its own way")
    func manyCommands() throws {
      let gate = try Gate()
      let script = "trap 'echo ended; exit' TERM; exec 3<>\(gate.path); echo ready; read x <&3"
      let tool = try Tool("--by 0 --next-turn --jobs 600", command: ["sh", "-c", script])
      try tool.send((1...600).map { "\($0)\n" }.joined())
      for _ in 1...600 { #expect(tool.line() == "ready") }
      tool.signal(SIGTERM)
      let ended = Array(repeatElement("ended\n", count: 600).joined().utf8)
      #expect(tool.outcome() == Outcome(status: 143, output: ended, errors: []))
    }

    @Test("--by: the tool stops reading while many keys have lines that wait for the rate")
    func pause() throws {
      let feed = try Feed("seq 1 200000")
      let tool = try Tool(
        "--by 0 --next-turn --rate 1/h --stats", command: ["true"], reading: feed.output)
      try feed.output.close()
      try tool.waitUntilIdle()
      tool.signal(SIGTERM)
      let outcome = tool.outcome()
      try feed.end()
      let count = outcome.message.firstMatch(of: /coalesce: ([0-9]+) lines/).flatMap { Int($0.1) }
      #expect(try (10_000..<50_000).contains(#require(count)))
    }

    @Test("coalesce: a signal ends a run that waits for the rate", arguments: ["", "--by 1"])
    func waiting(_ options: String) throws {
      let tool = try Tool("\(options) --next-turn --rate 1/h --grace 1h", command: ["echo", "run"])
      try tool.send("a\n")
      #expect(tool.line() == "run")
      try tool.send("a\n")
      try tool.waitUntilIdle()
      tool.signal(SIGTERM)
      #expect(tool.outcome() == Outcome(status: 143, output: [], errors: []))
    }
  #endif
}

import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing
import coalesce

/// The store of lines by key.
struct KeyedLinesTests {
  private let scheduler = TestScheduler()

  private func lines(
    _ keeping: LineBatch.Keeping = .all, limit: Int = 1000, keyLimit: Int = 10
  ) -> KeyedLines {
    KeyedLines(
      by: KeyField(1), keeping: keeping, delimiter: LineSplitter.newline, limit: limit, keyLimit: keyLimit,
      on: scheduler)
  }

  private func key(_ text: String) -> LineKey { LineKey(Array(text.utf8)[...]) }

  /// Adds lines as if they were read together; returns the keys that were signalled.
  @discardableResult private func add(_ words: [String], to lines: KeyedLines) -> [LineKey] {
    var signals: [LineKey] = []
    let hasMemory = lines.add { add in
      for word in words { add(Array(word.utf8)[...], false, 1) }
    } signal: {
      signals.append($0)
    }
    #expect(hasMemory)
    return signals
  }

  @Test("KeyedLines: each key is signalled once in a read that has lines of it")
  func signals() {
    let lines = lines()
    #expect(add(["a 1", "b", "a 2"], to: lines) == [key("a"), key("b")])
    #expect(add(["a 3"], to: lines) == [key("a")])
    #expect(lines.lineCount == 4)
    #expect(lines.keyCount == 2)
  }

  @Test("KeyedLines: the lines of a key are taken once")
  func take() {
    let lines = lines()
    add(["a 1", "b", "a 2"], to: lines)
    #expect(lines.take(key("a")).map { String(decoding: $0.lines, as: UTF8.self) } == "a 1\na 2\n")
    #expect(lines.isIdle(key("a")) && !lines.isIdle(key("b")))
    #expect(lines.take(key("a")) == nil)
    #expect(lines.keyCount == 1)
  }

  @Test("KeyedLines: the reader waits at the limit of keys until half of the keys were taken")
  func keyLimit() {
    let lines = lines()
    add((0..<9).map { "\($0)" }, to: lines)
    #expect(lines.hasRoom { _ in true })
    add(["9"], to: lines)
    #expect(!lines.hasRoom { _ in true })
    for number in 0..<6 { _ = lines.take(key("\(number)")) }
    // The sixth call of `take` has left four keys of ten.
    lines.waitForRoom()
    #expect(lines.hasRoom { _ in true })
  }

  @Test("KeyedLines: the reader waits when the lines of all keys have the size of many batches")
  func byteLimit() {
    // The limit is 36 bytes. Each of the first lines has three bytes, and the last has four.
    let lines = lines(limit: 1, keyLimit: 1000)
    add((0..<17).map { "\($0 % 10)\($0)" }, to: lines)
    #expect(!lines.hasRoom { _ in true })
    for number in 0..<13 { _ = lines.take(key("\(number % 10)\(number)")) }
    lines.waitForRoom()
    #expect(lines.hasRoom { _ in true })
    let few = self.lines(limit: 1, keyLimit: 1000)
    add((0..<9).map { "\($0)" }, to: few)
    #expect(few.hasRoom { _ in true })
  }

  @Test("KeyedLines: at the limit, the lines of keys for which no delivery comes are dropped and counted")
  func ignored() {
    let lines = lines()
    add((0..<10).map { "\($0)" } + ["3 x"], to: lines)
    var dropped = 0
    #expect(
      lines.hasRoom {
        $0 != key("3")
      } drop: {
        dropped += $0
      })
    #expect(dropped == 2)
    #expect(lines.isIdle(key("3")))
    #expect(lines.keyCount == 9)
  }

  @Test("KeyedLines: after the end later lines are ignored, and earlier lines are returned in order")
  func end() {
    let lines = lines(.newest)
    add(["b", "a", "c"], to: lines)
    add(["b 2"], to: lines)
    #expect(lines.end().map(\.key) == [key("b"), key("a"), key("c")])
    #expect(add(["d"], to: lines).isEmpty)
    #expect(lines.end().isEmpty)
    #expect(lines.take(key("a")) == nil)
  }
}

import Testing
import coalesce

struct LineBatchTests {
  @Test("LineBatch: keeps the newest line")
  func newest() {
    let batch = batch(.newest, ["a", "bb", "c"], limit: 1)
    #expect(text(batch) == "c\n")
    #expect(batch.count == 3)
    #expect(batch.droppedCount == 0)
  }

  @Test("LineBatch: keeps the newest lines up to the limit, and counts the dropped lines")
  func all() {
    #expect(text(batch(.all, ["a", "b", "a"], limit: 6)) == "a\nb\na\n")
    let batch = batch(.all, ["a", "b", "c", "dd"], limit: 5)
    #expect(text(batch) == "c\ndd\n")
    #expect(batch.droppedCount == 2)
    #expect(batch.count == 4)
  }

  @Test("LineBatch: keeps a newest line that alone fills the limit")
  func largeLine() {
    let batch = batch(.all, ["a", "bbbb"], limit: 4)
    #expect(text(batch) == "bbbb\n")
    #expect(batch.droppedCount == 1)
  }

  @Test("LineBatch: many lines use no more memory than the limit needs")
  func bounded() {
    var batch = LineBatch(keeping: .all, delimiter: LineSplitter.newline, limit: 100)
    for number in 0..<10_000 { batch.add(Array("\(number)".utf8)[...], isTruncated: false) }
    #expect(text(batch) == (9980..<10_000).map { "\($0)\n" }.joined())
    #expect(batch.droppedCount == 9980)
  }

  @Test("LineBatch: keeps each distinct line once, up to the limit, in order of arrival")
  func distinct() {
    let batch = batch(.distinct, ["b", "a", "b", "c", "a"], limit: 4)
    #expect(text(batch) == "b\na\n")
    #expect(batch.droppedCount == 1)
    #expect(batch.count == 5)
    #expect(batch.newest == Array("a".utf8))
  }

  @Test("LineBatch: is truncated if a line that it keeps was cut")
  func cut() {
    var batch = LineBatch(keeping: .newest, delimiter: LineSplitter.newline, limit: 1)
    batch.add(Array("a".utf8)[...], isTruncated: true)
    #expect(batch.isTruncated)
    batch.add(Array("b".utf8)[...], isTruncated: false)
    #expect(!batch.isTruncated)
  }

  @Test("LineBatch: is not truncated if each line that was cut is dropped")
  func cutAndDropped() {
    var batch = LineBatch(keeping: .all, delimiter: LineSplitter.newline, limit: 4)
    batch.add(Array("abcd".utf8)[...], isTruncated: true)
    #expect(batch.isTruncated)
    batch.add(Array("x".utf8)[...], isTruncated: false)
    #expect(text(batch) == "x\n")
    #expect(!batch.isTruncated)
    batch.add(Array("y".utf8)[...], isTruncated: true)
    batch.add(Array("z".utf8)[...], isTruncated: false)
    #expect(text(batch) == "y\nz\n")
    #expect(batch.isTruncated)
    batch.add(Array("w".utf8)[...], isTruncated: false)
    #expect(text(batch) == "z\nw\n")
    #expect(!batch.isTruncated)
  }

  @Test("LineBatch: is empty after its lines were taken")
  func take() {
    var batch = batch(.all, ["a", "b"], limit: 2)
    let taken = batch.take()
    #expect(text(taken) == "b\n")
    #expect(taken.droppedCount == 1)
    #expect(batch.count == 0 && batch.droppedCount == 0 && batch.lines.isEmpty)
    batch.add(Array("c".utf8)[...], isTruncated: false)
    #expect(text(batch) == "c\n")
  }

  private func batch(_ keeping: LineBatch.Keeping, _ lines: [String], limit: Int) -> LineBatch {
    var batch = LineBatch(keeping: keeping, delimiter: LineSplitter.newline, limit: limit)
    for line in lines { batch.add(Array(line.utf8)[...], isTruncated: false) }
    return batch
  }

  private func text(_ batch: LineBatch) -> String { String(decoding: batch.lines, as: UTF8.self) }
}

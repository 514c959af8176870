import Testing
import coalesce

@Suite struct LineSplitterTests {
  @Test("LineSplitter: splits at newlines")
  func newlines() {
    #expect(lines(["a\nbc\n"]) == ["a", "bc"])
  }

  @Test("LineSplitter: joins a line that arrives in pieces")
  func pieces() {
    #expect(lines(["a", "b", "", "c\nd", "e\n"]) == ["abc", "de"])
    #expect(lines(["a", "\n", "b", "\n"]) == ["a", "b"])
  }

  @Test("LineSplitter: each division of a stream into two chunks gives the same lines")
  func chunks() {
    let stream = Array("one\n\ntwo\nthree".utf8)
    for cut in 0...stream.count {
      #expect(lines([stream[..<cut], stream[cut...]]) == ["one", "", "two", "three"], "cut at \(cut)")
    }
  }

  @Test("LineSplitter: the end of the stream ends the last line")
  func endOfStream() {
    #expect(lines(["a\nb"]) == ["a", "b"])
    #expect(lines(["a"]) == ["a"])
  }

  @Test("LineSplitter: an empty stream has no lines")
  func emptyStream() {
    #expect(lines([String]()) == [])
    #expect(lines([""]) == [])
    #expect(lines(["a\n", ""]) == ["a"])
  }

  @Test("LineSplitter: keeps empty lines")
  func emptyLines() {
    #expect(lines(["\n"]) == [""])
    #expect(lines(["\n\na\n\n"]) == ["", "", "a", ""])
  }

  @Test("LineSplitter: completes a line as soon as its newline has arrived")
  func completesAtNewline() {
    var splitter = LineSplitter()
    var count = 0
    splitter.split(Array("a\nb".utf8)[...]) { _ in count += 1 }
    #expect(count == 1)
    splitter.split(Array("\n".utf8)[...]) { _ in count += 1 }
    #expect(count == 2)
    splitter.finish { _ in count += 1 }
    #expect(count == 2)
  }

  @Test("LineSplitter: drops the bytes of a line beyond the limit")
  func limit() {
    #expect(lines(["abcd\nefgh\n"], limit: 4) == ["abcd", "efgh"])
    #expect(lines(["abcdef\ngh\n"], limit: 4) == ["abcd", "gh"])
    #expect(lines(["abc", "def", "ghi", "\n", "jk"], limit: 4) == ["abcd", "jk"])
    #expect(lines(["abcdef"], limit: 4) == ["abcd"])
    #expect(lines(["abc\n"], limit: 0) == [""])
  }

  @Test("LineSplitter: does not change bytes")
  func bytes() {
    let stream: [UInt8] = [0xFF, 0xC3, 0x0A, 0x00, 0x80, 0x0D, 0x0A]
    var lines: [[UInt8]] = []
    var splitter = LineSplitter()
    splitter.split(stream[...]) { lines.append($0) }
    splitter.finish { lines.append($0) }
    #expect(lines == [[0xFF, 0xC3], [0x00, 0x80, 0x0D]])
  }

  private func lines(_ chunks: [String], limit: Int = 1 << 20) -> [String] {
    lines(chunks.map { Array($0.utf8)[...] }, limit: limit)
  }

  private func lines(_ chunks: [ArraySlice<UInt8>], limit: Int = 1 << 20) -> [String] {
    var splitter = LineSplitter(limit: limit)
    var lines: [String] = []
    for chunk in chunks {
      splitter.split(chunk) { lines.append(String(decoding: $0, as: UTF8.self)) }
    }
    splitter.finish { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }
}

import Testing
import coalesce

struct LineSplitterTests {
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
    var splitter = LineSplitter(limit: 1 << 20)
    var count = 0
    splitter.split(Array("a\nb".utf8)[...]) { _, _ in count += 1 }
    #expect(count == 1)
    splitter.split(Array("\n".utf8)[...]) { _, _ in count += 1 }
    #expect(count == 2)
    splitter.finish { _, _ in count += 1 }
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
    var splitter = LineSplitter(limit: 1 << 20)
    splitter.split(stream[...]) { line, _ in lines.append(Array(line)) }
    splitter.finish { line, _ in lines.append(Array(line)) }
    #expect(lines == [[0xFF, 0xC3], [0x00, 0x80, 0x0D]])
  }

  private func lines(_ chunks: [String], limit: Int = 1 << 20) -> [String] {
    lines(chunks.map { Array($0.utf8)[...] }, limit: limit)
  }

  @Test("LineSplitter: reports whether a line was cut")
  func cut() {
    var splitter = LineSplitter(limit: 2)
    var cuts: [Bool] = []
    splitter.split(Array("ab\nabc\na".utf8)[...]) { cuts.append($1) }
    splitter.split(Array("b\na".utf8)[...]) { cuts.append($1) }
    splitter.split(Array("bc".utf8)[...]) { cuts.append($1) }
    splitter.finish { cuts.append($1) }
    #expect(cuts == [false, true, false, true])
  }

  @Test("LineSplitter: another byte may end the lines")
  func delimiter() {
    var splitter = LineSplitter(delimiter: 0, limit: 10)
    var lines: [String] = []
    splitter.split(Array("a\nb\0c\0".utf8)[...]) { line, _ in
      lines.append(String(decoding: line, as: UTF8.self))
    }
    #expect(lines == ["a\nb", "c"])
  }

  @Test("LineSplitter: splitLast gives the last line of each chunk, and the number of lines")
  func last() {
    for limit in [1, 2, 10] {
      let stream = Array("one\n\ntwo\nthree\nx".utf8)
      for first in 0...stream.count {
        for second in first...stream.count {
          var all = LineSplitter(limit: limit)
          var last = LineSplitter(limit: limit)
          for chunk in [stream[..<first], stream[first..<second], stream[second...]] {
            var expected: [(ArraySlice<UInt8>, Bool)] = []
            all.split(chunk) { expected.append(($0, $1)) }
            var count = 0
            last.splitLast(chunk) { line, isTruncated, lines in
              count += lines
              #expect(line == expected.last?.0 && isTruncated == expected.last?.1)
            }
            #expect(count == expected.count)
          }
          var ends: [[UInt8]] = []
          all.finish { line, _ in ends.append(Array(line)) }
          last.finish { line, _ in ends.append(Array(line)) }
          #expect(ends.count == 0 || ends.count == 2 && ends[0] == ends[1])
        }
      }
    }
  }

  private func lines(_ chunks: [ArraySlice<UInt8>], limit: Int = 1 << 20) -> [String] {
    var splitter = LineSplitter(limit: limit)
    var lines: [String] = []
    for chunk in chunks {
      splitter.split(chunk) { line, _ in lines.append(String(decoding: line, as: UTF8.self)) }
    }
    splitter.finish { line, _ in lines.append(String(decoding: line, as: UTF8.self)) }
    return lines
  }
}

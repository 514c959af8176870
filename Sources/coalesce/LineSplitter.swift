/// Cuts a stream of bytes into lines, in bounded memory.
///
/// A line longer than `limit` bytes is cut off there: its rest is skipped, up to the next newline.
package struct LineSplitter {
  package static let newline: UInt8 = UInt8(ascii: "\n")

  private let limit: Int
  private var line: [UInt8] = []
  private var isInLine: Bool = false

  package init(limit: Int = 1 << 20) {
    self.limit = limit
  }

  /// Takes in the next bytes, and calls the body with every line they complete, without its newline.
  package mutating func split(_ bytes: ArraySlice<UInt8>, _ body: ([UInt8]) -> Void) {
    var rest = bytes
    while let end = rest.firstIndex(of: Self.newline) {
      append(rest[..<end])
      complete(body)
      rest = rest[(end + 1)...]
    }
    if !rest.isEmpty {
      append(rest)
    }
  }

  /// Takes in the end of the stream: what is left is a line, too.
  package mutating func finish(_ body: ([UInt8]) -> Void) {
    if isInLine {
      complete(body)
    }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    isInLine = true
    line += bytes.prefix(limit - line.count)
  }

  private mutating func complete(_ body: ([UInt8]) -> Void) {
    let complete = line
    line = []
    isInLine = false
    body(complete)
  }
}

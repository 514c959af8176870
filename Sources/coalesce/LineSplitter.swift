/// Splits a stream of bytes into lines, in bounded memory.
package struct LineSplitter {
  package static let newline: UInt8 = UInt8(ascii: "\n")

  private let limit: Int
  private var line: [UInt8] = []
  /// Whether the stream so far ends inside a line.
  private var isInLine: Bool = false

  /// Creates a splitter for one stream.
  ///
  /// - Parameter limit: The largest number of bytes of a line. The bytes of a line beyond it are dropped.
  package init(limit: Int = 1 << 20) {
    self.limit = limit
  }

  /// Appends bytes to the stream, and calls the body with each line that they complete, without its newline.
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

  /// Ends the stream, and calls the body with the last line if that has no newline.
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

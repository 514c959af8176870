/// Splits a stream of bytes into lines, in bounded memory.
///
/// If there is no memory for a line, the line and the rest of the stream are ignored.
package struct LineSplitter {
  package static let newline: UInt8 = UInt8(ascii: "\n")

  private let delimiter: UInt8
  private let limit: Int
  /// The first bytes of an incomplete line, from earlier parts of the stream.
  private var start: [UInt8] = []
  /// Whether the stream so far ends inside a line.
  private var isInLine: Bool = false
  /// Whether the incomplete line was cut.
  private var isTruncated: Bool = false
  /// Whether there was no memory for a line.
  package private(set) var isOutOfMemory: Bool = false

  /// Creates a splitter for one stream.
  ///
  /// - Parameters:
  ///   - delimiter: The last byte of each line.
  ///   - limit: The largest number of bytes of a line. Further bytes of the line are dropped.
  package init(delimiter: UInt8 = newline, limit: Int) {
    self.delimiter = delimiter
    self.limit = limit
  }

  /// Appends bytes to the stream, and calls the body with each line that is now complete.
  ///
  /// - Parameters:
  ///   - bytes: The next part of the stream.
  ///   - body: Called with a line without its delimiter, and with whether the line was cut.
  package mutating func split(_ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>, Bool) -> Void) {
    var rest = bytes
    while let end = rest.position(of: delimiter) {
      complete(with: rest[..<end], body)
      rest = rest[(end + 1)...]
    }
    append(rest)
  }

  /// Appends bytes to the stream, and calls the body with the last line that is now complete.
  ///
  /// - Parameters:
  ///   - bytes: The next part of the stream.
  ///   - body: Called with the line without its delimiter, with whether the line was cut, and with the number
  ///     of complete lines.
  package mutating func splitLast(_ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>, Bool, Int) -> Void)
  {
    // The forward search comes first, because it is faster for a long line.
    guard bytes.position(of: delimiter) != nil, let end = bytes.lastIndex(of: delimiter) else {
      return append(bytes)
    }
    let earlier = bytes[..<end]
    if let previous = earlier.lastIndex(of: delimiter) {
      forgetStart()
      let count = 1 + countDelimiters(of: earlier)
      complete(with: bytes[(previous + 1)..<end]) { body($0, $1, count) }
    } else {
      complete(with: earlier) { body($0, $1, 1) }
    }
    append(bytes[(end + 1)...])
  }

  /// Ends the stream, and calls the body with the last line if it has no delimiter.
  package mutating func finish(_ body: (ArraySlice<UInt8>, Bool) -> Void) {
    if isInLine && !isOutOfMemory { complete(with: [], body) }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    isInLine = true
    let kept = bytes.prefix(limit - start.count)
    isTruncated = isTruncated || kept.count < bytes.count
    guard !isOutOfMemory && LineMemory.reserve(kept.count, in: &start, limit: limit) else {
      isOutOfMemory = true
      start = []
      return
    }
    start += kept
  }

  private mutating func complete(with bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>, Bool) -> Void) {
    if isInLine {
      append(bytes)
      if isOutOfMemory { return }
      body(start[...], isTruncated)
      forgetStart()
    } else {
      body(bytes.prefix(limit), bytes.count > limit)
    }
  }

  private mutating func forgetStart() {
    // NB: a batch may share the storage of the array. To keep the capacity would then allocate new storage of
    // the same size.
    start.removeAll(keepingCapacity: start.capacity <= LineMemory.spare)
    isInLine = false
    isTruncated = false
  }

  private func countDelimiters(of bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    for byte in bytes where byte == delimiter { count += 1 }
    return count
  }
}

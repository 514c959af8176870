/// The lines for one delivery, in bounded memory.
package struct LineBatch: Sendable {
  /// The rule for the lines that a batch keeps.
  package enum Keeping: Sendable {
    /// Only the newest line is kept.
    case newest
    /// The newest lines are kept, up to the limit.
    case all
    /// Each distinct line is kept once, in order of first arrival, up to the limit.
    case distinct
  }

  /// The number of bytes of the newest line that are stored in addition to the lines.
  private static let newestLimit: Int = 65_536
  /// The estimated memory for a line in the set of distinct lines, in addition to the bytes of the line.
  private static let bytesPerSeenLine: Int = 64

  private let keeping: Keeping
  private let delimiter: UInt8
  private let limit: Int
  /// The kept lines, each with its delimiter, start at `head`. The bytes before `head` belong to dropped
  /// lines.
  // NB: the array itself is delivered. A copy would allocate memory on a thread that is not the
  // reader's.
  private var bytes: [UInt8] = []
  private var head: Int = 0
  private var seen: Set<[UInt8]> = []
  /// The first 65,536 bytes of the newest line, without its delimiter.
  package private(set) var newest: [UInt8] = []
  /// The number of lines that were added.
  package private(set) var count: Int = 0
  /// The number of added lines that were dropped because of the limit.
  package private(set) var droppedCount: Int = 0
  /// The end of the newest line that was cut, as a position in the array; zero if there is none.
  private var cutEnd: Int = 0
  /// Whether there was no memory for a line. Such a line counts as dropped.
  package private(set) var isOutOfMemory: Bool = false

  /// Creates an empty batch.
  ///
  /// - Parameters:
  ///   - keeping: The rule for the lines that the batch keeps.
  ///   - delimiter: The last byte of each line.
  ///   - limit: The largest number of bytes of the kept lines, including their delimiters. The newest line is
  ///     kept even if it is longer. With `distinct`, this holds for the first line instead.
  package init(keeping: Keeping, delimiter: UInt8, limit: Int) {
    self.keeping = keeping
    self.delimiter = delimiter
    self.limit = limit
  }

  /// The kept lines, each with its delimiter.
  package var lines: ArraySlice<UInt8> { bytes[head...] }

  /// Whether a kept line was cut.
  package var isTruncated: Bool { cutEnd > head }

  /// Adds a line.
  ///
  /// - Parameters:
  ///   - line: The line without its delimiter.
  ///   - isTruncated: Whether the line was cut.
  ///   - count: The number of lines that the line stands for, if it is the newest of several.
  package mutating func add(_ line: ArraySlice<UInt8>, isTruncated: Bool, count: Int = 1) {
    self.count += count
    guard makeRoom(for: line.count + 1) else {
      isOutOfMemory = true
      droppedCount += 1
      return
    }
    newest.removeAll(keepingCapacity: true)
    newest += line.prefix(Self.newestLimit)
    switch keeping {
    case .newest: append(line, isTruncated)
    case .all:
      append(line, isTruncated)
      while bytes.count - head > limit, let end = bytes[head...].position(of: delimiter),
        end < bytes.count - 1
      {
        head = end + 1
        droppedCount += 1
      }
      // Fewer bytes are moved than were dropped, so the cost of the move is amortised.
      if head > limit {
        bytes.removeFirst(head)
        cutEnd = max(0, cutEnd - head)
        head = 0
      }
    case .distinct:
      let key = Array(line)
      if seen.contains(key) { return }
      if bytes.isEmpty || bytes.count + line.count < limit {
        seen.insert(key)
        append(line, isTruncated)
      } else {
        droppedCount += 1
      }
    }
  }

  /// Returns the batch with its lines, and leaves an empty batch.
  package mutating func take() -> LineBatch {
    defer { self = LineBatch(keeping: keeping, delimiter: delimiter, limit: limit) }
    return self
  }

  /// Makes room for one more line with its delimiter; returns whether there is memory for it. Without memory,
  /// the kept lines stay.
  private mutating func makeRoom(for count: Int) -> Bool {
    if keeping == .newest {
      guard count <= bytes.capacity || LineMemory.has(count) else { return false }
      bytes.removeAll(keepingCapacity: true)
      bytes.reserveCapacity(count)
      cutEnd = 0
      return true
    }
    guard keeping == .distinct else { return LineMemory.reserve(count, in: &bytes) }
    // A full set doubles its memory. The set also contains a copy of each line.
    if seen.count == seen.capacity && !LineMemory.has(2 * seen.count * Self.bytesPerSeenLine) { return false }
    return LineMemory.reserve(count, in: &bytes, and: { $0 }) && LineMemory.has(count)
  }

  private mutating func append(_ line: ArraySlice<UInt8>, _ isTruncated: Bool) {
    bytes += line
    bytes.append(delimiter)
    if isTruncated { cutEnd = bytes.count }
  }
}

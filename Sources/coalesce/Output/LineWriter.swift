/// Writes batches of lines to standard output, in the form that the options choose.
final class LineWriter: Sendable {
  /// The number of bytes of one write, for lines that are changed before they are written.
  private static let chunk: Int = 65_536

  private let writesCount: Bool
  private let writesTime: Bool
  private let notices: LossNotices
  private let delimiter: UInt8

  init(_ settings: FilterSettings, _ notices: LossNotices) {
    writesCount = settings.writesCount
    writesTime = settings.writesTime
    delimiter = settings.delimiter
    self.notices = notices
  }

  /// Writes the lines of a batch or their number. The number is followed by the key, if there is one.
  func write(_ batch: LineBatch, of key: LineKey? = nil) {
    if writesCount { notices.noteCut(batch) } else { notices.note(batch) }
    let suffix = key.map { [UInt8(ascii: " ")] + $0.bytes } ?? []
    let bytes = writesCount ? (Array("\(batch.count)".utf8) + suffix + [delimiter])[...] : batch.lines
    if writesTime { writeStamped(bytes) } else { Output.standard.writeOrExit(bytes) }
  }

  /// Writes each line with the time before it, without copying all lines.
  private func writeStamped(_ lines: ArraySlice<UInt8>) {
    let stamp = Array("\(WallClock.now) ".utf8)
    var result: [UInt8] = []
    var rest = lines
    while let end = rest.position(of: delimiter) {
      result += stamp
      var line = rest[...end]
      rest = rest[(end + 1)...]
      while result.count + line.count > Self.chunk {
        let part = line.prefix(max(0, Self.chunk - result.count))
        result += part
        Output.standard.writeOrExit(result[...])
        line = line.dropFirst(part.count)
        result.removeAll(keepingCapacity: true)
      }
      result += line
    }
    Output.standard.writeOrExit(result[...])
  }
}

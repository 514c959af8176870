/// Writes batches of lines to standard output, in the form that the options choose.
final class LineWriter: Sendable {
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

  func write(_ batch: LineBatch) {
    if !writesCount { notices.note(batch) }
    var bytes = writesCount ? (Array("\(batch.count)".utf8) + [delimiter])[...] : batch.lines
    if writesTime { bytes = stamped(bytes) }
    Output.standard.writeOrExit(bytes)
  }

  private func stamped(_ lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let stamp = Array("\(WallClock.now) ".utf8)
    var result: [UInt8] = []
    for line in lines.dropLast().split(separator: delimiter, omittingEmptySubsequences: false) {
      result += stamp + line + [delimiter]
    }
    return result[...]
  }
}

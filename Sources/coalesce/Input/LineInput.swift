internal import SimpleEvents

/// The lines of standard input, collected for the next delivery.
final class LineInput: Sendable {
  private let keepsNewest: Bool
  private let delimiter: UInt8
  private let limit: Int
  /// Guards the lines that are not delivered yet. The reader adds them, and a delivery takes them.
  private let batch: Guarded<LineBatch>

  /// Creates an input of lines, with the parameters of their batches.
  init(keeping: LineBatch.Keeping, delimiter: UInt8, limit: Int) {
    keepsNewest = keeping == .newest
    self.delimiter = delimiter
    self.limit = limit
    batch = Guarded(LineBatch(keeping: keeping, delimiter: delimiter, limit: limit))
  }

  /// Takes the lines that have come since the last call; nil if none have.
  ///
  /// A delivery may take lines before the reader has signalled them, so the next one may find none.
  func take() -> LineBatch? {
    let batch = batch.withLock { $0.take() }
    return batch.count > 0 ? batch : nil
  }

  /// Reads standard input to its end, and calls a body after lines have been added.
  func readLines(_ didAdd: () -> Void) throws(SystemError) {
    var splitter = LineSplitter(delimiter: delimiter, limit: limit)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var failure: SystemError?
    while true {
      let chunk: ArraySlice<UInt8>
      do throws(SystemError) {
        chunk = buffer[..<(try InputFile.standard.readSome(&buffer))]
      } catch {
        failure = error
        break
      }
      if chunk.isEmpty { break }
      let isAdded = batch.withLock { batch in
        let before = batch.count
        if keepsNewest {
          splitter.splitLast(chunk) { batch.add($0, isTruncated: $1, count: $2) }
        } else {
          splitter.split(chunk) { batch.add($0, isTruncated: $1) }
        }
        return batch.count > before
      }
      if isAdded { didAdd() }
    }
    var isAdded = false
    splitter.finish { line, isTruncated in
      batch.withLock { $0.add(line, isTruncated: isTruncated) }
      isAdded = true
    }
    if isAdded { didAdd() }
    if let failure { throw failure }
  }
}

internal import CPlatform
internal import SimpleEvents

/// The lines of standard input, collected for the next delivery.
final class LineInput: Sendable {
  /// Whether lines are accepted. Lines that a command itself causes are dropped.
  private enum Intake {
    case open
    /// Lines are dropped, because a run is in progress.
    case closed
    /// Lines are dropped until an instant, because a run has ended.
    case opens(at: EventInstant)
  }

  private struct State {
    var batch: LineBatch
    var intake: Intake = .open
    /// The number of lines that were added to batches.
    var lineCount: Int = 0
    /// Whether a run was requested without a line.
    var isDemanded: Bool = false

    var isIdle: Bool { batch.count == 0 && !isDemanded }
  }

  private let keepsNewest: Bool
  private let delimiter: UInt8
  private let limit: Int
  private let settle: Duration?
  private let turns: Worker
  /// Guards the lines that are not delivered yet. The reader adds them, and a delivery takes them.
  private let state: Guarded<State>

  /// Creates an input of lines, with the parameters of their batches.
  ///
  /// - Parameters:
  ///   - keeping: The lines that a batch keeps.
  ///   - delimiter: The last byte of each line.
  ///   - limit: The largest number of bytes of a line, and of the lines of a batch.
  ///   - settle: The time after a run for which lines are dropped, as during the run; nil if none are.
  ///   - turns: The clock.
  init(
    keeping: LineBatch.Keeping, delimiter: UInt8, limit: Int, settle: Duration? = nil, on turns: Worker
  ) {
    keepsNewest = keeping == .newest
    self.delimiter = delimiter
    self.limit = limit
    self.settle = settle
    self.turns = turns
    state = Guarded(State(batch: LineBatch(keeping: keeping, delimiter: delimiter, limit: limit)))
  }

  /// Whether ``take()`` has nothing to return.
  var isIdle: Bool { state.withLock { $0.isIdle } }

  /// The number of lines that have come so far, without those that were dropped because of a run.
  var lineCount: Int { state.withLock { $0.lineCount } }

  /// Takes the lines that have come since the last call, for a run that begins now; nil if no line has come.
  ///
  /// A delivery may take lines before the reader has signalled them, so the next one may find none.
  func take() -> LineBatch? {
    state.withLock { state in
      if state.isIdle { return nil }
      state.isDemanded = false
      if settle != nil { state.intake = .closed }
      return state.batch.take()
    }
  }

  /// Lets the next call of ``take()`` return a batch even if no line has come.
  func demandRun() {
    state.withLock { $0.isDemanded = true }
  }

  /// Records the end of the run for which lines were taken.
  func didEndRun() {
    guard let settle else { return }
    state.withLock { $0.intake = .opens(at: turns.now.advanced(by: settle)) }
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
      let isAdded = add { batch, isKept in
        if keepsNewest {
          splitter.splitLast(chunk) { if isKept { batch.add($0, isTruncated: $1, count: $2) } }
        } else {
          splitter.split(chunk) { if isKept { batch.add($0, isTruncated: $1) } }
        }
      }
      if isAdded { didAdd() }
      if state.withLock({ $0.batch.isOutOfMemory }) {
        failure = SystemError(number: ENOMEM)
        break
      }
    }
    let isAdded = add { batch, isKept in
      splitter.finish { if isKept { batch.add($0, isTruncated: $1) } }
    }
    if isAdded { didAdd() }
    if let failure { throw failure }
  }

  /// Calls a body with the batch, and whether lines are added to it; returns whether one was.
  private func add(_ body: (inout LineBatch, Bool) -> Void) -> Bool {
    state.withLock { state in
      if case .opens(let instant) = state.intake, instant <= turns.now { state.intake = .open }
      let before = state.batch.count
      if case .open = state.intake { body(&state.batch, true) } else { body(&state.batch, false) }
      state.lineCount += state.batch.count - before
      return state.batch.count > before
    }
  }
}

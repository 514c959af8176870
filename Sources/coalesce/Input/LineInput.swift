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
    /// Lines are ignored, because the program ends.
    case ended
  }

  private struct State {
    var batch: LineBatch
    var intake: Intake = .open
    /// The number of lines that were added to batches.
    var lineCount: Int = 0
    /// The number of lines that were dropped because of a run.
    var settledCount: Int = 0
    /// Whether a run was requested without a line.
    var isDemanded: Bool = false

    var isIdle: Bool { batch.count == 0 && !isDemanded }
  }

  private let keepsNewest: Bool
  private let delimiter: UInt8
  private let limit: Int
  private let settle: Duration?
  private let turns: Worker
  /// Guards the lines that are not delivered yet. The reader adds them, and a delivery takes them. The reader
  /// also signals them under the lock, so that no other thread finds lines without their signal. A signal
  /// takes no lock that is held during a delivery.
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

  /// The number of lines that were dropped so far because of a run.
  var settledCount: Int { state.withLock { $0.settledCount } }

  /// Takes the lines that have come since the last call, for a run that begins now; nil if no line has come.
  ///
  /// A delivery also takes lines that were signalled after its start, so the next one may find none.
  func take() -> LineBatch? {
    state.withLock { state in
      if state.isIdle { return nil }
      state.isDemanded = false
      if settle != nil { state.intake = .closed }
      return state.batch.take()
    }
  }

  /// Ignores the lines that come later. The earlier ones have been signalled.
  func end() {
    state.withLock { $0.intake = .ended }
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

  /// Reads standard input to its end, and calls a body, which signals a delivery, with each addition of
  /// lines.
  func readLines(_ signal: () -> Void) throws(SystemError) {
    let reader = LineReader(delimiter: delimiter, limit: limit, keepsNewest: keepsNewest)
    try reader.readLines { forEach in add(forEach, signal) }
  }

  /// Adds the lines of one read, and signals a delivery if there was one; returns whether there was memory
  /// for the lines.
  private func add(_ forEach: (LineReader.Add) -> Void, _ signal: () -> Void) -> Bool {
    state.withLock { state in
      if case .opens(let instant) = state.intake, instant <= turns.now { state.intake = .open }
      let before = state.lineCount
      forEach { line, isTruncated, count in
        switch state.intake {
        case .open:
          state.batch.add(line, isTruncated: isTruncated, count: count)
          state.lineCount += count
        case .closed, .opens: state.settledCount += count
        case .ended: break
        }
      }
      if state.lineCount > before { signal() }
      return !state.batch.isOutOfMemory
    }
  }
}

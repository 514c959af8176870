internal import SimpleEvents

/// The lines of standard input, collected for the next delivery.
final class LineInput: Sendable {
  /// Whether lines are accepted. With `settle`, lines are dropped during a run and for a time after it,
  /// because the command itself may have caused them.
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
    /// Whether a run was requested that needs no line.
    var isDemanded: Bool = false

    var isIdle: Bool { batch.count == 0 && !isDemanded }
  }

  private let keepsNewest: Bool
  private let delimiter: UInt8
  private let limit: Int
  private let settle: Duration?
  private let turns: Worker
  /// Guards the lines that are not delivered yet. The reader adds lines, and a delivery takes them. The
  /// reader also signals new lines under the lock, so that no other thread finds lines without their signal.
  /// A signal takes no lock that is held during a delivery.
  private let state: Guarded<State>

  /// Creates an input that collects lines in batches.
  ///
  /// - Parameters:
  ///   - keeping: Which lines a batch keeps.
  ///   - delimiter: The last byte of each line.
  ///   - limit: The largest number of bytes of a line, and of the lines of a batch.
  ///   - settle: The time for which lines are still dropped after a run. Lines during the run are dropped,
  ///     too. If the time is nil, no line is dropped.
  ///   - turns: The scheduler whose clock measures `settle`.
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
  /// A delivery also takes lines that were signalled after its start, so the next delivery may find no lines.
  func take() -> LineBatch? {
    state.withLock { state in
      if state.isIdle { return nil }
      state.isDemanded = false
      if settle != nil { state.intake = .closed }
      return state.batch.take()
    }
  }

  /// Ignores lines that come later. Lines that came earlier have been signalled.
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

  /// Reads standard input to its end. Calls `signal` each time that lines were added, to request a delivery.
  func readLines(_ signal: () -> Void) throws(SystemError) {
    let reader = LineReader(delimiter: delimiter, limit: limit, keepsNewest: keepsNewest)
    try reader.readLines { forEach in add(forEach, signal) }
  }

  /// Adds lines that were read together, and signals a delivery if any line was added; returns whether there
  /// was memory for the lines.
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

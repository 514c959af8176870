internal import SimpleEvents

/// The notices on standard error about lines that were cut or dropped.
final class LossNotices: Sendable {
  private struct State {
    /// Whether the notice about a cut line was written. It is written only once.
    var hasReportedCut: Bool = false
    /// The number of dropped lines that the notice at the end will report.
    var dropped: Int = 0
    /// The number of lines that were dropped in all.
    var allDropped: Int = 0
    var lines: Int = 0
  }

  private let limit: Int
  private let keeping: LineBatch.Keeping
  /// Guards the state. Notices are written after the lock is released.
  private let state: Guarded<State> = Guarded(State())

  init(_ settings: FilterSettings) {
    limit = settings.limit
    keeping = settings.keeping
  }

  /// The number of lines that were dropped so far.
  var droppedCount: Int { state.withLock { $0.allDropped } }

  /// Reports the first line that was cut. The key of a cut line may be cut as well.
  func noteCut(_ batch: LineBatch) {
    guard batch.isTruncated else { return }
    let isFirst = state.withLock { state in
      defer { state.hasReportedCut = true }
      return !state.hasReportedCut
    }
    if isFirst {
      Output.report(
        "a line of more than \(limit) bytes was cut; later ones are cut without a notice (--limit)")
    }
  }

  /// Reports the lines that a delivered batch has lost.
  func note(_ batch: LineBatch) {
    noteCut(batch)
    state.withLock { state in
      state.lines += batch.count
      state.dropped += batch.droppedCount
      state.allDropped += batch.droppedCount
    }
    if batch.droppedCount > 0 {
      let part = keeping == .all && !batch.isOutOfMemory ? "oldest" : "newest"
      let cause = batch.isOutOfMemory ? "for lack of memory" : "over --limit \(limit)"
      Output.report("dropped the \(part) \(Self.lines(batch.droppedCount)) of \(batch.count), \(cause)")
    }
  }

  /// Counts lines that were dropped after the policy or the mode for a busy command had ignored them.
  func noteIgnored(_ count: Int) {
    if keeping == .newest { return }
    state.withLock { state in
      state.lines += count
      state.dropped += count
      state.allDropped += count
    }
  }

  /// Reports the number of undelivered lines and the number of all lost lines. Undelivered lines are lines
  /// that the policy or the mode for a busy command has ignored. The report is written once, because a signal
  /// and the end of the input may coincide.
  func finish(undelivered count: Int) {
    noteIgnored(count)
    let (dropped, lines) = state.withLock { state in
      defer { state.dropped = 0 }
      return (state.dropped, state.lines)
    }
    if count > 0 && keeping != .newest {
      Output.report("dropped \(Self.lines(count)) at the end, because no delivery was due")
    }
    if dropped > 0 { Output.report("dropped \(Self.lines(dropped)) of \(lines) in total") }
  }

  private static func lines(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }
}

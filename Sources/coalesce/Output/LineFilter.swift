internal import SimpleEvents

/// Writes lines by a policy.
final class LineFilter: Job {
  /// The time allowed for writing the pending lines after a signal.
  static let writingTime: Duration = .seconds(1)

  private let turns: Worker
  private let input: LineInput
  private let notices: LossNotices
  private let deliveries: CoalescingCallback

  init(_ settings: FilterSettings, on turns: Worker) {
    let input = LineInput(
      keeping: settings.keeping, delimiter: settings.delimiter, limit: settings.limit, on: turns)
    let notices = LossNotices(settings)
    let writer = LineWriter(settings, notices)
    self.turns = turns
    self.input = input
    self.notices = notices
    deliveries = CoalescingCallback(on: turns, policy: settings.policy, label: "lines") { @Sendable in
      if let batch = input.take() { writer.write(batch) }
    }
  }

  func run() -> Int32 {
    var failure: SystemError?
    do {
      try input.readLines { deliveries.schedule() }
    } catch {
      failure = error
    }
    turns.perform { [self] in finish() }
    return failure.map(Output.reportInputFailure) ?? 0
  }

  func end() {
    if turns.perform(within: Self.writingTime, { [self] in finish() }) { return }
    Self.reportUnread()
  }

  /// Reports that the writing was not complete in time.
  static func reportUnread() {
    Output.reportIfReady("standard output was not read within one second: pending lines are lost")
  }

  // Twice the time for writing. The limit is a safeguard that is normally not reached.
  var endLimit: Duration { Self.writingTime * 2 }

  func abandon() {}

  var lines: LineCounts? { LineCounts(accepted: input.lineCount, dropped: notices.droppedCount) }

  /// Writes the pending lines, and reports the lines that were lost.
  private func finish() {
    // The input ends first, so that no line is added after the pending lines were taken.
    input.end()
    deliveries.flush()
    notices.finish(undelivered: input.take()?.count ?? 0)
  }
}

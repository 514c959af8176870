internal import SimpleEvents

/// Runs a command by a policy, with a window for each key.
final class KeyedRunner: Job {
  private let settings: FilterSettings
  private let reader: LineReader
  private let turns: Worker
  private let notices: LossNotices
  private let runs: CommandRuns
  private let deliveries: KeyedDeliveries

  init(_ settings: FilterSettings, by field: KeyField, on workers: Workers) {
    let notices = LossNotices(settings)
    let runs = CommandRuns(settings, notices, on: workers)
    self.settings = settings
    reader = LineReader(delimiter: settings.delimiter, limit: settings.limit)
    turns = workers.turns
    self.notices = notices
    self.runs = runs
    deliveries = KeyedDeliveries(settings, by: field, on: workers.turns, label: "command") {
      @Sendable key, batch in await runs.run(batch, of: key)
    }
  }

  func run() -> Int32 {
    deliveries.run(reader, notices, on: turns).map(Output.reportInputFailure) ?? runs.lastStatus
  }

  func end() {
    runs.end()
    // The pending lines are dropped here, so that the end of the input finds no undelivered lines.
    _ = deliveries.lines.end()
    turns.perform { [deliveries] in await deliveries.stop() }
    runs.waitForEnd()
    notices.finish(undelivered: 0)
  }

  var endLimit: Duration { settings.endLimit }

  func abandon() { runs.kill() }

  func suspend(_ stop: () -> Void) { runs.suspend(stop) }

  var lines: LineCounts? {
    LineCounts(
      accepted: deliveries.lines.lineCount, dropped: notices.droppedCount,
      settled: deliveries.lines.settledCount,
      isSettling: settings.settle != nil)
  }
}

internal import SimpleEvents

/// Writes lines by a policy, with a window for each key.
final class KeyedFilter: Job {
  private let reader: LineReader
  private let turns: Worker
  private let notices: LossNotices
  private let writer: LineWriter
  private let deliveries: KeyedDeliveries

  init(_ settings: FilterSettings, by field: KeyField, on turns: Worker) {
    let notices = LossNotices(settings)
    let writer = LineWriter(settings, notices)
    reader = LineReader(delimiter: settings.delimiter, limit: settings.limit)
    self.turns = turns
    self.notices = notices
    self.writer = writer
    deliveries = KeyedDeliveries(settings, by: field, on: turns, label: "lines") { @Sendable key, batch in
      writer.write(batch, of: key)
    }
  }

  func run() -> Int32 { deliveries.run(reader, notices, on: turns).map(Output.reportInputFailure) ?? 0 }

  func end() {
    let isWritten = turns.perform(within: LineFilter.writingTime) { [self] in
      // The remaining lines are written without regard to the rate. If a delivery still waits for the rate,
      // it finds no lines when it starts.
      let undelivered = deliveries.end { writer.write($1, of: $0) }
      notices.finish(undelivered: undelivered)
    }
    if !isWritten { LineFilter.reportUnread() }
  }

  var endLimit: Duration { LineFilter.writingTime * 2 }

  func abandon() {}

  var lines: LineCounts? {
    LineCounts(accepted: deliveries.lines.lineCount, dropped: notices.droppedCount)
  }
}

internal import SimpleEvents
package import SimpleEventsTesting

/// Marks at the instants of a test scheduler at which a test adds them, from any thread.
package final class MarbleLog: Sendable {
  private let scheduler: TestScheduler
  private let unit: Duration
  /// Guards the marks.
  private let marks: Guarded<[Marbles.Mark]> = Guarded([])

  /// - Parameters:
  ///   - scheduler: A scheduler whose time has not moved.
  ///   - unit: The time of a column. An instant between two columns counts as the first, and its mark is `~`.
  package init(on scheduler: TestScheduler, unit: Duration = .milliseconds(1)) {
    self.scheduler = scheduler
    self.unit = unit
  }

  package var marbles: Marbles { Marbles(marks.withLock { $0 }) }

  package func add(_ symbol: Character) {
    let elapsed = scheduler.elapsed
    let column = Int(elapsed / unit)
    let mark = Marbles.Mark(column, unit * column == elapsed ? symbol : "~")
    marks.withLock { $0.append(mark) }
  }
}

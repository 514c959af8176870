internal import SimpleEvents
package import SimpleEventsTesting

/// Marks that a test adds at instants of a test scheduler. Any thread may add marks.
package final class MarbleLog: Sendable {
  private let scheduler: TestScheduler
  private let unit: Duration
  /// Guards the marks.
  private let marks: Guarded<[Marbles.Mark]> = Guarded([])

  /// - Parameters:
  ///   - scheduler: A scheduler whose time has not moved.
  ///   - unit: The time that a column stands for. A mark at an instant between two columns is drawn as `~` in
  ///     the first of them.
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

/// Reports the iterators of one sequence of notifications to a monitor.
///
/// Each iterator is a source, and each notification is a signal. A delivery lasts from the return of `next`
/// until `next` is called again, so that a monitor sees a slow loop body.
final class WatchedIterators: Sendable {
  private struct State {
    /// The number of notifications since the sequence was made.
    var count: Int = 0
    var sources: [CoalescingSource] = []
  }

  /// Guards the sources. A notification is counted for all of them in one step.
  private let state: Guarded<State> = Guarded(State())
  private let event: DiagnosticSubject
  private let scheduler: (any EventScheduler)?

  /// Creates an object for a new sequence; returns nil if no monitor is to see the iterators.
  ///
  /// - Parameters:
  ///   - event: The subject of diagnostics: the event.
  ///   - scheduler: The scheduler of the event; nil if the event notifies immediately.
  init?(of event: DiagnosticSubject, on scheduler: (any EventScheduler)?) {
    guard CoalescingSystem.isWatching else { return nil }
    self.event = event
    self.scheduler = scheduler
  }

  /// Counts a notification, before the iterators can take it.
  func noteSignal() {
    let now = scheduler?.now ?? .uptime
    state.withLock { state in
      state.count += 1
      for source in state.sources { source.noteSignal(at: now) }
    }
  }

  /// Creates the source of a further iterator; returns nil if no monitor is to see the iterator.
  func makeIterator() -> WatchedIterator? {
    let subject = DiagnosticSubject(
      type: EventNotifications.self, label: event.label, misuse: event.misuse, site: event.site)
    guard let source = CoalescingSystem.makeSource(subject, on: scheduler) else { return nil }
    let now = source.now
    state.withLock { state in
      source.noteSignals(state.count, at: now)
      state.sources.append(source)
    }
    return WatchedIterator(source, of: self)
  }

  fileprivate func remove(_ source: CoalescingSource) {
    state.withLock { $0.sources.removeAll { $0 === source } }
    source.endDelivery()
    source.end()
  }
}

/// Reports one iterator to a monitor. Copies of the iterator share this object.
final class WatchedIterator: Sendable {
  private let source: CoalescingSource
  private let iterators: WatchedIterators

  fileprivate init(_ source: CoalescingSource, of iterators: WatchedIterators) {
    self.source = source
    self.iterators = iterators
  }

  deinit { iterators.remove(source) }

  /// Records that the iterator has returned a notification.
  func begin() { source.begin(at: source.now) }

  /// Records that the next notification was requested.
  func finish() { source.endDelivery() }

  func end() { iterators.remove(source) }
}

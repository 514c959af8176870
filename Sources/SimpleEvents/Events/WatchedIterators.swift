/// The iterators of one sequence of notifications, for a monitor.
///
/// Each is a source: a notification is a signal, and a delivery lasts from the return of `next` to its next
/// call, so that a monitor sees a slow body of a loop.
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

  /// Returns nil if no monitor is to see the iterators.
  ///
  /// - Parameters:
  ///   - event: The event in diagnostics.
  ///   - scheduler: The scheduler of the event; nil if it notifies immediately.
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

  /// Makes the cursor of a further iterator; returns nil if no monitor is to see it.
  func makeCursor(of counter: NotificationCounter) -> NotificationCursor? {
    let subject = DiagnosticSubject(
      type: EventNotifications.self, label: event.label, misuse: event.misuse, site: event.site)
    guard let source = CoalescingSystem.makeSource(subject, on: scheduler) else { return nil }
    let now = source.now
    state.withLock { state in
      for _ in 0..<state.count { source.noteSignal(at: now) }
      state.sources.append(source)
    }
    return WatchedCursor(of: counter, source, in: self)
  }

  func remove(_ source: CoalescingSource) {
    state.withLock { $0.sources.removeAll { $0 === source } }
    source.finish()
    source.end()
  }
}

/// The place of an iterator that a monitor sees.
private final class WatchedCursor: NotificationCursor, @unchecked Sendable {
  // SAFETY: as its superclass. All properties are immutable.

  private let watch: CoalescingSource
  private let iterators: WatchedIterators

  init(of counter: NotificationCounter, _ watch: CoalescingSource, in iterators: WatchedIterators) {
    self.watch = watch
    self.iterators = iterators
    super.init(of: counter)
  }

  deinit { iterators.remove(watch) }

  override func willTake() { watch.finish() }

  override func consume() -> Bool {
    guard super.consume() else { return false }
    watch.begin(at: watch.now)
    return true
  }

  override func end() {
    super.end()
    iterators.remove(watch)
  }
}

internal import SimpleEvents

/// Owns a coalescing engine, and records windows and deliveries in virtual time.
final class PolicyRecorder: Wakeable, Sendable {
  struct Record {
    var deliveries: [Timeline.Mark] = []
    var windows: [Range<Duration>] = []
    /// The index of the newest event.
    var newest: Int = -1
  }

  private let scheduler: TestScheduler
  private let coalescer: Coalescer
  private let subject: DiagnosticSubject
  /// Guards the record.
  private let record: Guarded<Record> = Guarded(Record())

  private init(_ policy: CoalescingPolicy, on scheduler: TestScheduler) {
    self.scheduler = scheduler
    // A drawing shows what a policy does, and flags nothing.
    subject = DiagnosticSubject(
      Timeline.self, label: nil, misuse: .report { _ in }, fileID: #fileID, line: #line)
    coalescer = Coalescer(on: scheduler, policy: policy, subject)
  }

  /// Runs the engine of a policy on events. The events are in order of time.
  static func record(of events: [Duration], by policy: CoalescingPolicy) -> Record {
    let scheduler = TestScheduler()
    let start = scheduler.now
    // A monitor of the program does not see the drawing of a policy.
    let run = CoalescingSystem.withoutMonitor { PolicyRecorder(policy, on: scheduler) }
    for (index, event) in events.enumerated() {
      scheduler.schedule(at: start.advanced(by: event)) { run.signal(index) }
    }
    // Each event causes only a few entries, so a run without a limit ends.
    scheduler.run(limit: .max)
    return run.record.withLock { $0 }
  }

  func wake(_ cause: WakeCause) {
    if coalescer.wake(cause, for: self) == .delivers {
      let now = time
      record.withLock { record in
        record.deliveries.append(Timeline.Mark(time: now, label: Timeline.Mark.name(record.newest)))
      }
      coalescer.finish(for: self, subject)
    }
    noteWindow(afterSignal: false)
  }

  private var time: Duration { EventInstant(nanoseconds: 0).duration(to: scheduler.now) }

  private func signal(_ index: Int) {
    record.withLock { $0.newest = index }
    coalescer.signal(for: self)
    noteWindow(afterSignal: true)
  }

  private func noteWindow(afterSignal: Bool) {
    guard let windowEnd = coalescer.windowEnd else { return }
    let now = time
    let end = EventInstant(nanoseconds: 0).duration(to: windowEnd)
    record.withLock { record in
      if let last = record.windows.last, afterSignal ? now <= last.upperBound : now < last.upperBound {
        record.windows[record.windows.count - 1] = last.lowerBound..<max(end, now)
      } else if now < end {
        record.windows.append(now..<end)
      }
    }
  }
}

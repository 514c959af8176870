import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

struct MeasuredScheduler<Base: EventScheduler>: EventScheduler {
  let base: Base
  let report: @Sendable (Duration) -> Void

  var now: EventInstant { base.now }
  var isCurrent: Bool { base.isCurrent }
  var isKnownElsewhere: Bool { base.isKnownElsewhere }
  var taskExecutor: (any TaskExecutor)? { base.taskExecutor }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    base.schedule { measure(work) }
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    base.schedule(at: deadline, tolerance: tolerance) { measure(work) }
  }

  private func measure(_ work: () -> Void) {
    let start = now
    work()
    report(start.duration(to: now))
  }
}

struct SchedulerSnippet {
  @Test("Documentation: a scheduler that wraps another scheduler measures each turn")
  func wrapped() {
    let scheduler = TestScheduler()
    let log = Log()
    let measured = MeasuredScheduler(base: scheduler) { log.add("\($0)") }
    let event = LazySimpleEvent(on: measured, policy: .debounce(.seconds(1)))
    let token = event.addObserver { _ in log.add("called") }

    event.trigger()
    scheduler.advance(by: .seconds(2))
    measured.schedule { log.add("turn") }
    scheduler.advance(by: .zero)

    #expect(log.entries == ["called", "0.0 seconds", "turn", "0.0 seconds"])
    token?.remove()
  }
}

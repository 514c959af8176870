import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

@Suite struct LazySimpleEventTests {
  private let scheduler = TestScheduler()
  private let event: LazySimpleEvent

  init() {
    event = LazySimpleEvent(scheduler: scheduler)
  }

  @Test func `E4 all triggers before a delivery give one notification`() {
    let recorder = EventRecorder(event, scheduler: scheduler)
    for _ in 0..<100 { event.trigger() }
    event.trigger(if: false)
    #expect(recorder.count == 0, "a trigger never calls an observer itself")
    scheduler.run()
    #expect(recorder.count == 1)
    scheduler.run()
    #expect(recorder.count == 1)
  }

  @Test func `E4 trigger(if: false) does nothing`() {
    event.trigger(if: false)
    #expect(scheduler.pendingCount == 0)
  }

  @Test func `E4 a trigger in a notification gives exactly one more, not a nested one`() {
    let log = Log()
    let first = event.addObserver { [unowned event] _ in
      log.add("a")
      if log.entries.count == 1 {
        event.trigger()
        event.trigger()
      }
    }
    let second = event.addObserver { _ in log.add("b") }
    event.trigger()
    scheduler.run()
    #expect(log.entries == ["a", "b", "a", "b"])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `E4 an observer added between the trigger and the delivery is notified`() {
    event.trigger()
    let recorder = EventRecorder(event, scheduler: scheduler)
    scheduler.run()
    #expect(recorder.count == 1)
  }

  @Test func `E4 the policy decides when`() {
    let event = LazySimpleEvent(scheduler: scheduler, policy: .throttle(.milliseconds(10)))
    let recorder = EventRecorder(event, scheduler: scheduler)
    for instant in [0, 1, 2, 25] {
      scheduler.at(instant) { event.trigger() }
    }
    scheduler.run()
    #expect(recorder.milliseconds == [0, 10, 25])
    withExtendedLifetime(event) {}
  }

  @Test func `E6 nothing is delivered after the event is gone`() {
    var count = 0
    var token: (any SimpleEventToken)?
    do {
      let event = LazySimpleEvent(scheduler: scheduler)
      event.addObserver(&token) { _ in count += 1 }
      event.trigger()
    }
    scheduler.run()
    #expect(count == 0)
    token?.remove()
  }

  @Test func `E6 a removed block is not called by a turn that was asked for before`() {
    var count = 0
    let token = event.addObserver { _ in count += 1 }
    event.trigger()
    token?.remove()
    scheduler.run()
    #expect(count == 0)
  }

  @Test func `the event may be dropped by its observer`() {
    var event: LazySimpleEvent? = LazySimpleEvent(scheduler: scheduler)
    weak let weakEvent = event
    var count = 0
    let tokens = (0..<2).map { _ in
      event!.addObserver { _ in
        count += 1
        event?.trigger()
        event = nil
      }
    }
    event?.trigger()
    scheduler.run()
    #expect(count == 2, "the cycle in progress goes on, the turn asked for in it finds nobody")
    #expect(weakEvent == nil)
    withExtendedLifetime(tokens) {}
    withExtendedLifetime(event) {}
  }

  @Test func `a policy without edges is flagged, and never delivers`() {
    let misuses = MisuseLog()
    let event = LazySimpleEvent(
      scheduler: scheduler, policy: .throttle(.milliseconds(1), edges: []), label: "silent",
      misuse: misuses.handler)
    let recorder = EventRecorder(event, scheduler: scheduler)
    event.trigger()
    event.trigger()
    scheduler.run()
    #expect(recorder.count == 0)
    #expect(misuses.kinds == [.noEdges])
    #expect(misuses.all[0].message.contains("silent"))
    withExtendedLifetime(event) {}
  }
}

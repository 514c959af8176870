import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// E4 and E6 for a lazy event, in virtual time.
struct LazySimpleEventTests {
  private let scheduler = TestScheduler()
  private let event: LazySimpleEvent

  init() {
    event = LazySimpleEvent(on: scheduler)
  }

  @Test("E4: all triggers before a delivery give one notification")
  func coalescesTriggers() {
    let recorder = EventRecorder(event, on: scheduler)
    for _ in 0..<100 { event.trigger() }
    event.trigger(if: false)
    #expect(recorder.count == 0, "a trigger does not call observers")
    scheduler.run()
    #expect(recorder.count == 1)
    scheduler.run()
    #expect(recorder.count == 1)
  }

  @Test("E4: trigger(if: false) schedules nothing")
  func falseCondition() {
    event.trigger(if: false)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("E4: triggers in a notification give exactly one more, after the first notification has ended")
  func triggersInNotification() {
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

  @Test("E4: an observer added between a trigger and its delivery is notified")
  func additionBeforeDelivery() {
    event.trigger()
    let recorder = EventRecorder(event, on: scheduler)
    scheduler.run()
    #expect(recorder.count == 1)
  }

  @Test("E4: notifications come at the instants that the policy sets")
  func followsPolicy() {
    let event = LazySimpleEvent(on: scheduler, policy: .throttle(.milliseconds(10)))
    let recorder = EventRecorder(event, on: scheduler)
    for instant in [0, 1, 2, 25] {
      scheduler.at(instant) { event.trigger() }
    }
    scheduler.run()
    #expect(recorder.milliseconds == [0, 10, 25])
    withExtendedLifetime(event) {}
  }

  @Test("E6: a deallocated event delivers nothing")
  func deallocation() {
    var count = 0
    var token: (any SimpleEventToken)?
    do {
      let event = LazySimpleEvent(on: scheduler)
      event.addObserver(&token) { _ in count += 1 }
      event.trigger()
    }
    scheduler.run()
    #expect(count == 0)
    token?.remove()
  }

  @Test("E6: a block removed after the trigger and before the delivery is not called")
  func removalBeforeDelivery() {
    var count = 0
    let token = event.addObserver { _ in count += 1 }
    event.trigger()
    token?.remove()
    scheduler.run()
    #expect(count == 0)
  }

  @Test("E6: an event released by its observer completes the cycle and delivers nothing more")
  func releaseInNotification() {
    var event: LazySimpleEvent? = LazySimpleEvent(on: scheduler)
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
    #expect(count == 2, "both blocks are called once, and the turn requested by the first delivers nothing")
    #expect(weakEvent == nil)
    withExtendedLifetime(tokens) {}
    withExtendedLifetime(event) {}
  }

  @Test("C8: a policy without edges is flagged and never delivers", arguments: [0, 4])
  func policyWithoutEdges(_ bits: UInt8) {
    let misuses = MisuseLog()
    let event = LazySimpleEvent(
      on: scheduler, policy: .throttle(.milliseconds(1), edges: .init(rawValue: bits)), label: "silent",
      misuse: misuses.handler)
    let recorder = EventRecorder(event, on: scheduler)
    event.trigger()
    event.trigger()
    scheduler.run()
    #expect(recorder.count == 0)
    #expect(misuses.kinds == [.noEdges])
    #expect(misuses.all[0].message.contains("silent"))
    withExtendedLifetime(event) {}
  }
}

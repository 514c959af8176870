import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C10: a delivery at a deadline takes one hop.
struct OneHopTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  static let timed: [CoalescingPolicy] = [
    .debounce(.milliseconds(10)), .throttle(.milliseconds(10), edges: .trailing), .audit(.milliseconds(10)),
    .debounce(.milliseconds(10), maxWait: .milliseconds(10)),
  ]

  @Test("C10: a delivery takes the place of its deadline among the entries of that instant", arguments: timed)
  func place(_ policy: CoalescingPolicy) {
    let source = SimpleEvent()
    let event = LazySimpleEvent(on: scheduler, policy: policy)
    let token = event.addObserver { [log] _ in log.add("event") }
    let callback = CoalescingCallback(on: scheduler, policy: policy) { [log] in log.add("callback") }
    let collector = CoalescingCollector<Int>(on: scheduler, policy: policy, keeping: .newest(1)) { [log] _ in
      log.add("collector")
    }
    let group = SimpleEventGroupObserver(of: source, on: scheduler, policy: policy) { [log] _ in
      log.add("group")
    }
    scheduler.at(10) { [log] in log.add("before") }
    event.trigger()
    callback.schedule()
    collector.add(1)
    source.trigger()
    scheduler.at(10) { [log] in log.add("after") }
    scheduler.advance(toMilliseconds: 10)
    #expect(log.entries == ["before", "event", "callback", "collector", "group", "after"])
    withExtendedLifetime((token, callback, collector, group)) {}
  }

  @Test("C10: a delivery of a window that slides has the place of the alarm that was armed last")
  func slidingWindow() {
    let callback = CoalescingCallback(on: scheduler, policy: .debounce(.milliseconds(10))) { [log] in
      log.add("delivery")
    }
    callback.schedule()
    scheduler.at(5) { callback.schedule() }
    scheduler.at(15) { [log] in log.add("armed at 0") }
    scheduler.at(12) { [log, scheduler] in scheduler.at(15) { log.add("armed at 12") } }
    scheduler.advance(toMilliseconds: 15)
    // The alarm for 10 ms is armed again when it fires.
    #expect(log.entries == ["armed at 0", "delivery", "armed at 12"])
  }

  @Test("C10: the next window of a throttle is armed before the delivery runs")
  func nextWindow() {
    let deadlines = Log()
    let callback = CoalescingCallback(on: scheduler, policy: .throttle(.milliseconds(10), edges: .trailing)) {
      [scheduler] in deadlines.add("\(scheduler.nextDeadline?.milliseconds ?? -1)")
    }
    callback.schedule()
    scheduler.advance(toMilliseconds: 10)
    #expect(deadlines.entries == ["20"])
    withExtendedLifetime(callback) {}
  }

  @Test("C1, C10: a deadline during a delivery requests a turn at the end of the delivery")
  func deadlineDuringDelivery() {
    let gate = GateReference(CoalescingGate(policy: .throttle(.milliseconds(10))))
    #expect(gate.signal(at: .ms(0))?.requestsTurn == true)
    #expect(gate.turnReached().delivers)
    #expect(gate.signal(at: .ms(5)) == CoalescingGate.Step())
    let step = gate.deadlineReached(at: .ms(10), ticket: 1)
    #expect(!step.delivers && !step.requestsTurn && step.alarm?.deadline == .ms(20))
    #expect(gate.deliveryFinished() == CoalescingGate.Step(requestsTurn: true))
  }

  @Test("C10: a deadline requests a turn if the owner cannot deliver where the timer fires")
  func deadlineElsewhere() {
    let gate = GateReference(CoalescingGate(policy: .audit(.milliseconds(10))))
    _ = gate.signal(at: .ms(0))
    #expect(
      gate.deadlineReached(at: .ms(10), ticket: 1, isHere: false) == CoalescingGate.Step(requestsTurn: true))
    #expect(gate.turnReached().delivers)
  }

  @Test("C10: a turn that was requested before the deadline finds no due delivery after it")
  func turnAfterDeadline() {
    let gate = GateReference(CoalescingGate(policy: .throttle(.milliseconds(10))))
    #expect(gate.signal(at: .ms(0))?.requestsTurn == true)
    gate.cancel()
    _ = gate.signal(at: .ms(1))
    // The scheduler is busy, so the alarm comes before the turn.
    #expect(gate.deadlineReached(at: .ms(11), ticket: 2).delivers)
    #expect(!gate.turnReached().delivers)
    #expect(gate.deliveryFinished() == CoalescingGate.Step())
    #expect(!gate.isPending)
  }

  @Test(
    "S7: the loss of a turn or of the armed alarm drops the delivery, the loss of an old alarm does not")
  func loss() {
    let turn = GateReference(CoalescingGate(policy: .nextTurn))
    _ = turn.signal(at: nil)
    #expect(turn.lose(alarm: nil))
    #expect(!turn.isPending)
    #expect(turn.signal(at: nil) == CoalescingGate.Step(requestsTurn: true), "a later signal asks again")

    let alarm = GateReference(CoalescingGate(policy: .debounce(.milliseconds(10))))
    _ = alarm.signal(at: .ms(0))
    alarm.cancel()
    _ = alarm.signal(at: .ms(1))
    #expect(!alarm.lose(alarm: 1))
    #expect(alarm.isPending)
    #expect(alarm.lose(alarm: 2))
    #expect(!alarm.isPending)
    #expect(alarm.signal(at: .ms(2))?.alarm?.ticket == 3)
  }

  @Test(
    "C8: a clock at the ends of its range does not overflow",
    arguments: OneHopTests.timed + [.throttle(.milliseconds(10)), .sample(.milliseconds(10))])
  func endsOfTime(_ policy: CoalescingPolicy) {
    let ends = [Int64.min, Int64.min + 1, -1, 0, 1, Int64.max - 1, Int64.max].map(
      EventInstant.init(nanoseconds:))
    for first in ends {
      for second in ends where second >= first {
        let gate = GateReference(CoalescingGate(policy: policy, start: first))
        _ = gate.signal(at: first)
        _ = gate.signal(at: second)
        for ticket in 1...3 {
          let step = gate.deadlineReached(at: second, ticket: UInt16(ticket))
          if step.delivers { _ = gate.deliveryFinished() }
          _ = gate.signal(at: second)
        }
        gate.cancel()
        #expect(!gate.isPending)
      }
    }
  }
}

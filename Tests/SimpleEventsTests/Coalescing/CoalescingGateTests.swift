import SimpleEvents
import TestSupport
import Testing

/// The gate alone. Each test passes inputs to the gate, and compares the steps that the gate returns.
struct CoalescingGateTests {
  private typealias Step = CoalescingGate.Step

  private let nothing = Step()
  private let turn = Step(requestsTurn: true)
  private let delivery = Step(delivers: true)

  private func alarm(
    _ milliseconds: Int, ticket: UInt16, delivers: Bool = false, requestsTurn: Bool = false
  ) -> CoalescingGate.Step {
    Step(
      delivers: delivers, requestsTurn: requestsTurn,
      alarm: .init(deadline: .ms(milliseconds), ticket: ticket))
  }

  private func gate(_ policy: CoalescingPolicy) -> GateReference {
    GateReference(CoalescingGate(policy: policy))
  }

  /// Starts and finishes a delivery; returns false if the gate does not start one.
  private func deliver(_ gate: GateReference) -> Bool {
    guard gate.turnReached().delivers else { return false }
    #expect(gate.deliveryFinished() == nothing)
    return true
  }

  /// Finishes a delivery that an alarm has started.
  private func finish(_ gate: GateReference) { #expect(gate.deliveryFinished() == nothing) }

  @Test("C2: next turn requests one turn and needs no time")
  func nextTurn() {
    let gate = gate(.nextTurn)
    #expect(gate.signal(at: nil) == turn)
    #expect(gate.signal(at: nil) == nothing)
    #expect(gate.isPending)
    #expect(deliver(gate))
    #expect(!gate.isPending)
    #expect(!gate.turnReached().delivers, "nothing is due on this turn")
    #expect(gate.signal(at: nil) == turn)
  }

  @Test("C1: a signal during a delivery requests a turn at the end of the delivery")
  func signalDuringDelivery() {
    let gate = gate(.nextTurn)
    _ = gate.signal(at: nil)
    #expect(gate.turnReached().delivers)
    #expect(gate.signal(at: nil) == nothing)
    #expect(gate.isPending)
    #expect(!gate.turnReached().delivers, "a delivery is running")
    #expect(gate.deliveryFinished() == turn)
    #expect(gate.turnReached().delivers)
    #expect(gate.deliveryFinished() == nothing)
  }

  @Test("C3: cancelling and signalling again requests no second turn")
  func cancelAndSignal() {
    let gate = gate(.nextTurn)
    #expect(gate.signal(at: nil) == turn)
    for _ in 0..<10 {
      gate.cancel()
      #expect(!gate.isPending)
      #expect(gate.signal(at: nil) == nothing)
    }
    #expect(deliver(gate))
  }

  @Test("C4: debounce needs the time of every signal and arms one alarm at a time")
  func debounce() {
    let gate = gate(.debounce(.milliseconds(10)))
    #expect(gate.signal(at: nil) == nil)
    #expect(gate.signal(at: .ms(0)) == alarm(10, ticket: 1))
    #expect(gate.signal(at: nil) == nil)
    #expect(gate.signal(at: .ms(4)) == nothing)
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == alarm(14, ticket: 2))
    #expect(gate.deadlineReached(at: .ms(14), ticket: 2) == delivery)
    finish(gate)
  }

  @Test(
    "C4: throttle and audit need no time inside a window",
    arguments: [CoalescingPolicy.throttle(.milliseconds(10)), .audit(.milliseconds(10))])
  func throttleAndAudit(_ policy: CoalescingPolicy) {
    let gate = gate(policy)
    #expect(gate.signal(at: nil) == nil)
    #expect(gate.signal(at: .ms(0)) != nil)
    #expect(gate.signal(at: nil) == nothing)
  }

  @Test("C5: a signal before a leading delivery has started is part of that delivery")
  func leadingDelivery() {
    let gate = gate(.throttle(.milliseconds(10)))
    #expect(gate.signal(at: .ms(0)) == alarm(10, ticket: 1, requestsTurn: true))
    #expect(gate.signal(at: nil) == nothing)
    #expect(deliver(gate))
    #expect(!gate.isPending)
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == nothing)
  }

  @Test("C6: the next throttle window starts at the deadline, not when a late timer fires")
  func lateThrottleTimer() {
    let gate = gate(.throttle(.milliseconds(10)))
    _ = gate.signal(at: .ms(0))
    #expect(deliver(gate))
    _ = gate.signal(at: nil)
    #expect(gate.deadlineReached(at: .ms(14), ticket: 1) == alarm(20, ticket: 2, delivers: true))
    finish(gate)
    _ = gate.signal(at: nil)
    // This is later than the end of the next window, so no window is open any more.
    #expect(gate.deadlineReached(at: .ms(45), ticket: 2) == delivery)
    finish(gate)
    #expect(gate.signal(at: .ms(46)) == alarm(56, ticket: 3, requestsTurn: true))
  }

  @Test("C6: a signal at the deadline moves the deadline, and a later signal does not")
  func signalAtDeadline() {
    let gate = gate(.debounce(.milliseconds(10)))
    _ = gate.signal(at: .ms(0))
    #expect(gate.signal(at: .ms(10)) == nothing)
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == alarm(20, ticket: 2))
    #expect(gate.signal(at: .ms(21)) == nothing, "the timer is late")
    #expect(gate.deadlineReached(at: .ms(22), ticket: 2) == delivery)
    finish(gate)
    #expect(!gate.isPending)
  }

  @Test("C6: without a trailing edge a window closes at its end without a timer")
  func noTrailingEdge() {
    for policy in [
      CoalescingPolicy.throttle(.milliseconds(10), edges: .leading),
      .debounce(.milliseconds(10), edges: .leading),
    ] {
      let gate = gate(policy)
      #expect(gate.signal(at: .ms(0)) == turn, "a leading-only policy arms no timer")
      #expect(deliver(gate))
      #expect(gate.signal(at: .ms(10)) == .ignored)
      #expect(!gate.isPending)
      #expect(gate.signal(at: .ms(21)) == turn)
    }
  }

  @Test("C6: maxWait delivers inside a burst without a new leading edge")
  func maxWait() {
    let gate = gate(.debounce(.milliseconds(10), maxWait: .milliseconds(25), edges: [.leading, .trailing]))
    #expect(gate.signal(at: .ms(0)) == alarm(10, ticket: 1, requestsTurn: true))
    #expect(deliver(gate))
    #expect(gate.signal(at: .ms(8)) == nothing)
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == alarm(18, ticket: 2))
    #expect(gate.signal(at: .ms(17)) == nothing)
    #expect(gate.deadlineReached(at: .ms(18), ticket: 2) == alarm(25, ticket: 3))
    #expect(gate.signal(at: .ms(24)) == nothing)
    #expect(gate.deadlineReached(at: .ms(25), ticket: 3) == alarm(34, ticket: 4, delivers: true))
    finish(gate)
    #expect(gate.signal(at: .ms(26)) == nothing, "the burst goes on")
  }

  @Test("C6: a timer that missed several maxWait instants gives one delivery")
  func lateMaxWaitTimer() {
    let gate = gate(.debounce(.milliseconds(100), maxWait: .milliseconds(100)))
    _ = gate.signal(at: .ms(0))
    for instant in stride(from: 50, through: 350, by: 50) {
      _ = gate.signal(at: .ms(instant))
    }
    let step = gate.deadlineReached(at: .ms(390), ticket: 1)
    #expect(step == alarm(400, ticket: 2, delivers: true), "the limit is counted from the missed instants")
    finish(gate)
    #expect(!gate.isPending)
  }

  @Test("C7: cancel drops the pending delivery and invalidates the alarm")
  func cancel() {
    let gate = gate(.debounce(.milliseconds(10)))
    _ = gate.signal(at: .ms(0))
    gate.cancel()
    #expect(!gate.isPending)
    #expect(!gate.isCurrentAlarm(1))
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == nothing)
    #expect(gate.signal(at: .ms(12)) == alarm(22, ticket: 2))
    #expect(
      gate.deadlineReached(at: .ms(13), ticket: 1) == nothing, "this alarm belongs to the cancelled window")
  }

  @Test("C7: flush delivers now, and nothing is due on the requested turn")
  func flush() {
    let gate = gate(.throttle(.milliseconds(10)))
    #expect(!gate.flush())
    _ = gate.signal(at: .ms(0))
    #expect(gate.flush())
    #expect(!gate.isPending)
    #expect(gate.deliveryFinished() == nothing)
    #expect(!gate.turnReached().delivers)
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == nothing)
  }

  @Test("C7: after a flush during a delivery, the pending delivery follows on the next turn")
  func flushDuringDelivery() {
    let gate = gate(.debounce(.milliseconds(10)))
    _ = gate.signal(at: .ms(0))
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == delivery)
    _ = gate.signal(at: .ms(11))
    #expect(!gate.flush())
    #expect(gate.isPending)
    #expect(gate.deliveryFinished() == turn)
    #expect(deliver(gate))
  }

  @Test("C6: an alarm that fires early is armed again")
  func earlyAlarm() {
    let gate = gate(.audit(.milliseconds(10)))
    _ = gate.signal(at: .ms(0))
    #expect(gate.deadlineReached(at: .ms(9), ticket: 1) == alarm(10, ticket: 2))
    #expect(gate.deadlineReached(at: .ms(10), ticket: 2) == delivery)
  }

  @Test("C6: the later of two signal times counts, in whatever order the signals arrive")
  func signalTimesOutOfOrder() {
    let gate = gate(.debounce(.milliseconds(10)))
    for signal in [0, 5, 3] { _ = gate.signal(at: .ms(signal)) }
    #expect(
      gate.deadlineReached(at: .ms(10), ticket: 1) == alarm(15, ticket: 2),
      "the window is measured from the later signal")
  }

  @Test("C8: extreme intervals saturate")
  func extremeIntervals() {
    let endless = gate(.debounce(.seconds(Int64.max)))
    #expect(endless.signal(at: .ms(5)) == nothing, "a window without an end arms no alarm")
    #expect(endless.isPending)
    let none = gate(.throttle(.seconds(-1)))
    #expect(none.signal(at: nil) == turn, "zero or less means next turn")
    let never = gate(.debounce(.zero, edges: []))
    #expect(never.signal(at: nil) == .ignored)
    #expect(!never.isPending)
  }

  @Test("C8: the time between any two instants leads from one to the other, and a longer time saturates")
  func distantInstants() {
    let instants = [.min, .min + 1, -1, 0, 1, .max - 1, .max].map { EventInstant(nanoseconds: $0) }
    for first in instants {
      for second in instants { #expect(first.advanced(by: first.duration(to: second)) == second) }
      #expect(first.advanced(by: .seconds(Int64.max)) == .distantFuture)
      #expect(first.advanced(by: .seconds(Int64.min)) == EventInstant(nanoseconds: .min))
    }
  }
}

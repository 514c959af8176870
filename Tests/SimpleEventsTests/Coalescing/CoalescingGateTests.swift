import SimpleEvents
import TestSupport
import Testing

/// The state machine by itself: told what happened, it says what to do.
@Suite struct CoalescingGateTests {
  private typealias Step = CoalescingGate.Step

  private let nothing = Step()
  private let turn = Step(asksTurn: true)

  private func alarm(_ milliseconds: Int, ticket: UInt32, asksTurn: Bool = false) -> CoalescingGate.Step {
    Step(asksTurn: asksTurn, alarm: .init(deadline: .ms(milliseconds), ticket: ticket))
  }

  private func gate(_ policy: CoalescingPolicy) -> Gate {
    Gate(CoalescingGate(policy: policy))
  }

  /// A delivery that starts and finishes; returns whether it did.
  private func deliver(_ gate: Gate) -> Bool {
    guard gate.deliveryStarted() else { return false }
    #expect(gate.deliveryFinished() == nothing)
    return true
  }

  @Test func `next turn asks for one turn, whatever the time`() {
    let gate = gate(.nextTurn)
    #expect(gate.signal(at: nil) == turn)
    #expect(gate.signal(at: nil) == nothing)
    #expect(gate.isPending)
    #expect(deliver(gate))
    #expect(!gate.isPending)
    #expect(!gate.deliveryStarted(), "a turn that finds nothing")
    #expect(gate.signal(at: nil) == turn)
  }

  @Test func `C1 a signal during a delivery asks for a turn at its end`() {
    let gate = gate(.nextTurn)
    _ = gate.signal(at: nil)
    #expect(gate.deliveryStarted())
    #expect(gate.signal(at: nil) == nothing)
    #expect(gate.isPending)
    #expect(!gate.deliveryStarted(), "never two at once")
    #expect(gate.deliveryFinished() == turn)
    #expect(gate.deliveryStarted())
    #expect(gate.deliveryFinished() == nothing)
  }

  @Test func `C3 one turn at a time is asked for, however often it is cancelled`() {
    let gate = gate(.nextTurn)
    #expect(gate.signal(at: nil) == turn)
    for _ in 0..<10 {
      gate.cancel()
      #expect(!gate.isPending)
      #expect(gate.signal(at: nil) == nothing)
    }
    #expect(deliver(gate))
  }

  @Test func `debounce needs the time of every signal, and arms one alarm`() {
    let gate = gate(.debounce(.milliseconds(10)))
    #expect(gate.signal(at: nil) == nil)
    #expect(gate.signal(at: .ms(0)) == alarm(10, ticket: 1))
    #expect(gate.signal(at: nil) == nil)
    #expect(gate.signal(at: .ms(4)) == nothing)
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == alarm(14, ticket: 2))
    #expect(gate.deadlineReached(at: .ms(14), ticket: 2) == turn)
    #expect(deliver(gate))
  }

  @Test(arguments: [CoalescingPolicy.throttle(.milliseconds(10)), .audit(.milliseconds(10))])
  func `throttle and audit need no time inside a window`(_ policy: CoalescingPolicy) {
    let gate = gate(policy)
    #expect(gate.signal(at: nil) == nil)
    #expect(gate.signal(at: .ms(0)) != nil)
    #expect(gate.signal(at: nil) == nothing)
  }

  @Test func `C5 what comes before a leading delivery has started is part of it`() {
    let gate = gate(.throttle(.milliseconds(10)))
    #expect(gate.signal(at: .ms(0)) == alarm(10, ticket: 1, asksTurn: true))
    #expect(gate.signal(at: nil) == nothing)
    #expect(deliver(gate))
    #expect(!gate.isPending)
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == nothing)
  }

  @Test func `C6 a throttle goes on from its deadline, not from a late timer`() {
    let gate = gate(.throttle(.milliseconds(10)))
    _ = gate.signal(at: .ms(0))
    #expect(deliver(gate))
    _ = gate.signal(at: nil)
    #expect(gate.deadlineReached(at: .ms(14), ticket: 1) == alarm(20, ticket: 2, asksTurn: true))
    #expect(deliver(gate))
    _ = gate.signal(at: nil)
    // Later than the whole next window: the one after it is over, too.
    #expect(gate.deadlineReached(at: .ms(45), ticket: 2) == turn)
    #expect(deliver(gate))
    #expect(gate.signal(at: .ms(46)) == alarm(56, ticket: 3, asksTurn: true))
  }

  @Test func `C6 a signal at the deadline slides it, one after it does not`() {
    let gate = gate(.debounce(.milliseconds(10)))
    _ = gate.signal(at: .ms(0))
    #expect(gate.signal(at: .ms(10)) == nothing)
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == alarm(20, ticket: 2))
    #expect(gate.signal(at: .ms(21)) == nothing, "the timer is late")
    #expect(gate.deadlineReached(at: .ms(22), ticket: 2) == turn)
    #expect(deliver(gate))
    #expect(!gate.isPending)
  }

  @Test func `C6 without a trailing edge a window closes by itself, however late`() {
    for policy in [
      CoalescingPolicy.throttle(.milliseconds(10), edges: .leading),
      .debounce(.milliseconds(10), edges: .leading),
    ] {
      let gate = gate(policy)
      #expect(gate.signal(at: .ms(0)) == turn, "and arms no timer")
      #expect(deliver(gate))
      #expect(gate.signal(at: .ms(10)) == nothing)
      #expect(!gate.isPending)
      #expect(gate.signal(at: .ms(21)) == turn)
    }
  }

  @Test func `maxWait delivers inside a burst, and goes on without a new leading edge`() {
    let gate = gate(.debounce(.milliseconds(10), maxWait: .milliseconds(25), edges: [.leading, .trailing]))
    #expect(gate.signal(at: .ms(0)) == alarm(10, ticket: 1, asksTurn: true))
    #expect(deliver(gate))
    #expect(gate.signal(at: .ms(8)) == nothing)
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == alarm(18, ticket: 2))
    #expect(gate.signal(at: .ms(17)) == nothing)
    #expect(gate.deadlineReached(at: .ms(18), ticket: 2) == alarm(25, ticket: 3))
    #expect(gate.signal(at: .ms(24)) == nothing)
    #expect(gate.deadlineReached(at: .ms(25), ticket: 3) == alarm(34, ticket: 4, asksTurn: true))
    #expect(deliver(gate))
    #expect(gate.signal(at: .ms(26)) == nothing, "no new leading edge")
  }

  @Test func `maxWait counts once for a timer that missed several of its instants`() {
    let gate = gate(.debounce(.milliseconds(100), maxWait: .milliseconds(100)))
    _ = gate.signal(at: .ms(0))
    for instant in stride(from: 50, through: 350, by: 50) {
      _ = gate.signal(at: .ms(instant))
    }
    // The window ended long ago by the time the timer comes, or else goes on from the latest signal.
    let step = gate.deadlineReached(at: .ms(390), ticket: 1)
    #expect(step.asksTurn)
    #expect(deliver(gate))
    #expect(!gate.isPending)
  }

  @Test func `C7 cancel drops what is pending and voids the alarm`() {
    let gate = gate(.debounce(.milliseconds(10)))
    _ = gate.signal(at: .ms(0))
    gate.cancel()
    #expect(!gate.isPending)
    #expect(!gate.awaits(1))
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == nothing)
    #expect(gate.signal(at: .ms(12)) == alarm(22, ticket: 2))
    #expect(gate.deadlineReached(at: .ms(13), ticket: 1) == nothing, "the alarm of another window")
  }

  @Test func `C7 flush delivers now, and the turn asked for finds nothing`() {
    let gate = gate(.throttle(.milliseconds(10)))
    #expect(!gate.flush())
    _ = gate.signal(at: .ms(0))
    #expect(gate.flush())
    #expect(!gate.isPending)
    #expect(gate.deliveryFinished() == nothing)
    #expect(!gate.deliveryStarted())
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == nothing)
  }

  @Test func `C7 flush during a delivery makes the pending one follow it`() {
    let gate = gate(.debounce(.milliseconds(10)))
    _ = gate.signal(at: .ms(0))
    _ = gate.deadlineReached(at: .ms(10), ticket: 1)
    #expect(gate.deliveryStarted())
    _ = gate.signal(at: .ms(11))
    #expect(!gate.flush())
    #expect(gate.isPending)
    #expect(gate.deliveryFinished() == turn)
    #expect(deliver(gate))
  }

  @Test func `an alarm that goes off early is armed again`() {
    let gate = gate(.audit(.milliseconds(10)))
    _ = gate.signal(at: .ms(0))
    #expect(gate.deadlineReached(at: .ms(9), ticket: 1) == alarm(10, ticket: 2))
    #expect(gate.deadlineReached(at: .ms(10), ticket: 2) == turn)
  }

  @Test func `a clock that two threads read in one order and used in the other does no harm`() {
    let gate = gate(.debounce(.milliseconds(10)))
    _ = gate.signal(at: .ms(5))
    _ = gate.signal(at: .ms(3))
    #expect(gate.deadlineReached(at: .ms(15), ticket: 1) == turn, "the window ends with the later signal")
  }

  @Test func `C8 extreme intervals saturate`() {
    let endless = gate(.debounce(.seconds(Int64.max)))
    #expect(endless.signal(at: .ms(5)) == nothing, "what never ends arms no alarm")
    #expect(endless.isPending)
    let none = gate(.throttle(.seconds(-1)))
    #expect(none.signal(at: nil) == turn, "zero or less means next turn")
    let never = gate(.debounce(.zero, edges: []))
    #expect(never.signal(at: nil) == nothing)
    #expect(!never.isPending)
  }
}

/// A gate by reference: an expectation cannot call what mutates a value.
private final class Gate {
  private var gate: CoalescingGate

  init(_ gate: CoalescingGate) {
    self.gate = gate
  }

  var isPending: Bool { gate.isPending }
  func awaits(_ ticket: UInt32) -> Bool { gate.awaits(ticket) }
  func signal(at now: EventInstant?) -> CoalescingGate.Step? { gate.signal(at: now) }
  func deadlineReached(at now: EventInstant, ticket: UInt32) -> CoalescingGate.Step {
    gate.deadlineReached(at: now, ticket: ticket)
  }
  func deliveryStarted() -> Bool { gate.deliveryStarted() }
  func deliveryFinished() -> CoalescingGate.Step { gate.deliveryFinished() }
  func cancel() { gate.cancel() }
  func flush() -> Bool { gate.flush() }
}

import SimpleEvents

/// A reference to a gate, since the expressions of an expectation cannot mutate a value.
final class GateReference {
  private var gate: CoalescingGate

  init(_ gate: CoalescingGate) {
    self.gate = gate
  }

  var isPending: Bool { gate.isPending }
  func awaits(_ ticket: UInt16) -> Bool { gate.awaits(ticket) }
  func signal(at now: EventInstant?) -> CoalescingGate.Step? { gate.signal(at: now) }
  func deadlineReached(at now: EventInstant, ticket: UInt16, isHere: Bool = true) -> CoalescingGate.Step {
    gate.deadlineReached(at: now, ticket: ticket, isHere: isHere)
  }
  func deliveryStarted() -> Bool { gate.deliveryStarted() }
  func deliveryFinished() -> CoalescingGate.Step { gate.deliveryFinished() }
  func lose(alarm ticket: UInt16?) -> Bool { gate.lose(alarm: ticket) }
  func cancel() { gate.cancel() }
  func flush() -> Bool { gate.flush() }
}

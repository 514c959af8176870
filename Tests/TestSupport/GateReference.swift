package import SimpleEvents

/// A reference to a gate, since the expressions of an expectation cannot mutate a value.
package final class GateReference {
  private var gate: CoalescingGate

  package init(_ gate: CoalescingGate) {
    self.gate = gate
  }

  package var isPending: Bool { gate.isPending }
  package func isCurrentAlarm(_ ticket: UInt16) -> Bool { gate.isCurrentAlarm(ticket) }
  package func signal(at now: EventInstant?) -> CoalescingGate.Step? { gate.signal(at: now) }
  package func deadlineReached(at now: EventInstant, ticket: UInt16, isHere: Bool = true)
    -> CoalescingGate.Step
  {
    gate.deadlineReached(at: now, ticket: ticket, isHere: isHere)
  }
  package func deliveryStarted() -> Bool { gate.deliveryStarted() }
  package func deliveryFinished() -> CoalescingGate.Step { gate.deliveryFinished() }
  package func lose(alarm ticket: UInt16?) -> Bool { gate.lose(alarm: ticket) }
  package func cancel() { gate.cancel() }
  package func flush() -> Bool { gate.isPending && gate.conclude(isHere: true).delivers }
}

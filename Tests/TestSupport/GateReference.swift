package import SimpleEvents

extension CoalescingGate.Step {
  /// Creates a step of a gate, with these actions.
  package init(
    delivers: Bool = false, requestsTurn: Bool = false, alarm: CoalescingGate.Alarm? = nil,
    startsRun: Bool = false
  ) {
    self.init()
    self.delivers = delivers
    self.requestsTurn = requestsTurn
    self.alarm = alarm
    self.startsRun = startsRun
  }
}

/// A reference to a gate. An expectation needs a reference, because its expressions cannot mutate a value.
package final class GateReference {
  private var gate: CoalescingGate

  package init(_ gate: CoalescingGate) {
    self.gate = gate
  }

  /// Creates the gate of a loop. The traits `runs` define the effect of a delivery during a run.
  package convenience init(_ policy: CoalescingPolicy = .nextTurn, runs: CoalescingPolicy.Traits) {
    self.init(CoalescingGate(policy: policy.makingRuns(runs.union(.makesRuns))))
  }

  package var isPending: Bool { gate.isPending }
  package var isRunning: Bool { gate.isRunning }
  package var isWaiting: Bool { gate.isWaiting }
  package var isRunDue: Bool { gate.isRunDue }
  package func isCurrentAlarm(_ ticket: UInt16) -> Bool { gate.isCurrentAlarm(ticket) }
  package func signal(at now: EventInstant?) -> CoalescingGate.Step? { gate.signal(at: now) }
  package func deadlineReached(at now: EventInstant, ticket: UInt16, isHere: Bool = true)
    -> CoalescingGate.Step
  {
    gate.deadlineReached(at: now, ticket: ticket, isHere: isHere)
  }
  package func turnReached() -> CoalescingGate.Step { gate.turnReached() }
  package func deliveryFinished() -> CoalescingGate.Step { gate.deliveryFinished() }
  package func lose(alarm ticket: UInt16?) -> Bool { gate.lose(alarm: ticket) }
  package func cancel() { gate.cancel() }
  package func flush() -> Bool { gate.isPending && gate.conclude(isHere: true).delivers }

  package func begin() -> CoalescingGate.Step? { gate.begin() }
  package func end(_ end: CoalescingGate.RunEnd, isFlushed: Bool = false) -> CoalescingGate.Step {
    gate.end(end, isFlushed: isFlushed)
  }
  package func awaitRun() -> Bool { gate.awaitRun() }
  package func endWait() -> CoalescingGate.Step { gate.endWait() }
  package func flush(isSignalled: Bool) -> CoalescingGate.Step { gate.flush(isSignalled: isSignalled) }
  package func concludeRuns(isPending: Bool = false) -> CoalescingGate.Step {
    gate.concludeRuns(isPending: isPending)
  }
  package func close() { gate.close() }
}

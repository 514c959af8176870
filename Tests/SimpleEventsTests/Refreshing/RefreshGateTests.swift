import SimpleEvents
import Testing

/// L1 to L3 and L5: the decisions of the gate, without tasks.
struct RefreshGateTests {
  static let modes: [RefreshLoop.WhenBusy] = [.rerun, .restart, .ignore]

  @Test("L1: a delivery before the run has begun is part of it", arguments: modes)
  func deliveryBeforeBeginning(_ mode: RefreshLoop.WhenBusy) {
    let gate = Driver(mode)
    #expect(gate.deliver() == .start)
    #expect(gate.deliver() == nil)
    #expect(gate.begin())
    #expect(gate.end(isDeliveryPending: false) == nil)
    #expect(gate.isSettled(isDeliveryPending: false))
  }

  @Test("L3: deliveries during a run give one more, which starts when it has ended")
  func rerun() {
    let gate = running(.rerun)
    #expect(gate.deliver() == nil)
    #expect(gate.deliver() == nil)
    #expect(gate.end(isDeliveryPending: false) == .start)
    #expect(gate.begin())
    #expect(gate.end(isDeliveryPending: false) == nil)
  }

  @Test("L3: the rerun is part of a delivery that is pending when the run ends")
  func rerunWithPendingDelivery() {
    let gate = running(.rerun)
    #expect(gate.deliver() == nil)
    #expect(gate.end(isDeliveryPending: true) == nil)
    #expect(gate.holdsRequests)
    #expect(!gate.isSettled(isDeliveryPending: true))
    #expect(gate.deliver() == .start)
  }

  @Test("L3, W2: requests of a rerun are held until the pending delivery comes, is cancelled or is lost")
  func heldRequests() {
    for end in [{ $0.cancel() }, { $0.loseDelivery() }, { _ = $0.finish(isDeliveryPending: false) }]
      as [(Driver) -> Void]
    {
      let gate = running(.rerun)
      _ = gate.deliver()
      _ = gate.end(isDeliveryPending: true)
      #expect(gate.holdsRequests)
      end(gate)
      #expect(!gate.holdsRequests)
    }
    let busy = running(.rerun)
    #expect(busy.end(isDeliveryPending: true) == nil)
    #expect(!busy.holdsRequests)
  }

  @Test("L3: a delivery cancels the run once, and the next starts when it has ended")
  func restart() {
    let gate = running(.restart)
    #expect(gate.deliver() == .cancel)
    #expect(gate.isRunCancelled)
    #expect(gate.deliver() == nil)
    #expect(gate.end(isDeliveryPending: true) == .start)
    #expect(!gate.isRunCancelled)
    #expect(gate.begin())
    #expect(gate.deliver() == .cancel)
  }

  @Test("L3: a delivery during a run is dropped")
  func ignore() {
    let gate = running(.ignore)
    #expect(gate.deliver() == nil)
    #expect(gate.end(isDeliveryPending: false) == nil)
    #expect(gate.deliver() == .start)
  }

  @Test("L5: nothing starts after a stop", arguments: modes)
  func stop(_ mode: RefreshLoop.WhenBusy) {
    let idle = Driver(mode)
    idle.stop()
    #expect(idle.deliver() == nil)
    #expect(idle.isSettled(isDeliveryPending: true))

    let due = Driver(mode)
    #expect(due.deliver() == .start)
    due.stop()
    #expect(!due.begin())
    #expect(due.isSettled(isDeliveryPending: false))

    let busy = running(mode)
    _ = busy.deliver()
    busy.stop()
    #expect(busy.deliver() == nil)
    #expect(busy.end(isDeliveryPending: false) == nil)
  }

  @Test("L5: finish ends the loop after a run for the pending requests", arguments: modes)
  func finish(_ mode: RefreshLoop.WhenBusy) {
    let idle = Driver(mode)
    #expect(idle.finish(isDeliveryPending: false) == nil)
    #expect(idle.isOver && idle.deliver() == nil)

    let pending = Driver(mode)
    #expect(pending.finish(isDeliveryPending: true) == .start)
    #expect(!pending.isOver && pending.begin())
    #expect(pending.deliver() == nil)
    #expect(pending.end(isDeliveryPending: false) == nil)
    #expect(pending.isOver)

    let busy = running(mode)
    #expect(busy.finish(isDeliveryPending: true) == nil)
    #expect(busy.end(isDeliveryPending: false) == .start)
    #expect(busy.begin())
    #expect(busy.end(.failed(isRetried: true), isDeliveryPending: false) == nil)
    #expect(busy.isOver)
  }

  @Test("L5, L8: a run in progress that fails while the loop finishes has one more attempt, without a wait")
  func finishDuringFailure() {
    let gate = running(.rerun)
    #expect(gate.finish(isDeliveryPending: false) == nil)
    #expect(gate.end(.failed(isRetried: true), isDeliveryPending: false) == .start)
    #expect(gate.begin())
    #expect(gate.end(.failed(isRetried: true), isDeliveryPending: false) == nil)
    #expect(gate.isOver)
  }

  @Test("L8: deliveries during the wait for a retry join it", arguments: modes)
  func joinsRetry(_ mode: RefreshLoop.WhenBusy) {
    let gate = running(mode)
    _ = mode == .rerun ? gate.deliver() : nil
    #expect(gate.end(.failed(isRetried: true), isDeliveryPending: true) == .wait)
    #expect(gate.deliver() == nil && gate.isPending)
    #expect(!gate.isSettled(isDeliveryPending: false))
    #expect(gate.endWait() == .start)
    #expect(gate.endWait() == nil)
    #expect(gate.begin())
    #expect(gate.end(isDeliveryPending: false) == nil)
    #expect(gate.isSettled(isDeliveryPending: false))
  }

  @Test("L8: failures in a row are counted, and a success or an error that is not retried resets the count")
  func failures() {
    let gate = running(.rerun)
    for number in 1...3 {
      #expect(gate.end(.failed(isRetried: true), isDeliveryPending: false) == .wait)
      #expect(gate.failures == number)
      #expect(gate.endWait() == .start && gate.begin())
    }
    #expect(gate.end(isDeliveryPending: false) == nil)
    #expect(gate.failures == 0)
    #expect(gate.deliver() == .start && gate.begin())
    #expect(gate.end(.failed(isRetried: false), isDeliveryPending: false) == nil)
    #expect(gate.failures == 0)
  }

  @Test("C7, L8: flush ends the wait for a retry, and cancel drops it")
  func flushAndCancel() {
    let gate = running(.rerun)
    #expect(gate.endWait() == nil)
    #expect(gate.end(.failed(isRetried: true), isDeliveryPending: false) == .wait)
    #expect(gate.endWait() == .start)
    #expect(gate.begin())
    #expect(gate.end(.failed(isRetried: true), isDeliveryPending: false) == .wait)
    gate.cancel()
    #expect(gate.endWait() == nil && !gate.isPending && gate.failures == 0)
    #expect(gate.deliver() == .start)
    gate.cancel()
    #expect(!gate.begin())
  }

  @Test("L4: the run in progress is cancelled once, and is not retried", arguments: modes)
  func cancelRun(_ mode: RefreshLoop.WhenBusy) {
    let idle = Driver(mode)
    #expect(idle.cancelRun() == nil)
    let gate = running(mode)
    #expect(gate.cancelRun() == .cancel)
    #expect(gate.cancelRun() == nil)
    #expect(gate.end(.failed(isRetried: true), isDeliveryPending: false) == nil)
    #expect(gate.isSettled(isDeliveryPending: false))
  }

  @Test("L9: work that is returned is due, even after the end of requests", arguments: modes)
  func returned(_ mode: RefreshLoop.WhenBusy) {
    let gate = running(mode)
    #expect(gate.end(.returned(isCancelled: true), isDeliveryPending: true) == .start)
    _ = gate.finish(isDeliveryPending: false)
    #expect(gate.begin() && gate.isLastRun)
    #expect(
      !gate.isRepeated(after: .failed(isRetried: true))
        && gate.isRepeated(after: .returned(isCancelled: true)))
    #expect(gate.end(.returned(isCancelled: true), isDeliveryPending: false) == .start)
    #expect(gate.begin())
    #expect(gate.end(.succeeded, isDeliveryPending: false) == nil)
    #expect(gate.isOver)
  }

  @Test("L9: work that is returned is dropped after a cancellation or a stop", arguments: modes)
  func returnedAfterEnd(_ mode: RefreshLoop.WhenBusy) {
    let cancelled = running(mode)
    _ = cancelled.cancelRun()
    #expect(!cancelled.isRepeated(after: .returned(isCancelled: true)))
    #expect(cancelled.end(.returned(isCancelled: true), isDeliveryPending: false) == nil)
    #expect(!cancelled.isPending && !cancelled.isOver)
    let stopped = running(mode)
    stopped.stop()
    #expect(
      !stopped.isRepeated(after: .returned(isCancelled: true))
        && !stopped.isRepeated(after: .failed(isRetried: true)))
    #expect(stopped.end(.returned(isCancelled: true), isDeliveryPending: false) == nil)
    #expect(!stopped.isPending)
  }

  private func running(_ mode: RefreshLoop.WhenBusy) -> Driver {
    let gate = Driver(mode)
    _ = gate.deliver()
    _ = gate.begin()
    return gate
  }

  /// A gate as an object, because an expectation cannot change a value.
  @dynamicMemberLookup
  private final class Driver {
    private var gate: RefreshGate

    init(_ mode: RefreshLoop.WhenBusy) { gate = RefreshGate(whenBusy: mode) }

    subscript<Value>(dynamicMember path: KeyPath<RefreshGate, Value>) -> Value { gate[keyPath: path] }

    func deliver() -> RefreshGate.Action? { gate.deliver() }
    func begin() -> Bool { gate.begin() }
    func end(_ outcome: RefreshGate.Outcome = .succeeded, isDeliveryPending: Bool) -> RefreshGate.Action? {
      gate.end(outcome, isDeliveryPending: isDeliveryPending)
    }
    func isRepeated(after outcome: RefreshGate.Outcome) -> Bool { gate.isRepeated(after: outcome) }
    func endWait() -> RefreshGate.Action? { gate.endWait() }
    func cancel() { gate.cancel() }
    func loseDelivery() { _ = gate.loseDelivery() }
    func cancelRun() -> RefreshGate.Action? { gate.cancelRun() }
    func finish(isDeliveryPending: Bool) -> RefreshGate.Action? {
      gate.finish(isDeliveryPending: isDeliveryPending)
    }
    func stop() { gate.stop() }
    func isSettled(isDeliveryPending: Bool) -> Bool { gate.isSettled(isDeliveryPending: isDeliveryPending) }
  }
}

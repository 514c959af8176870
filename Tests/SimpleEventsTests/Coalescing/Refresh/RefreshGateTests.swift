import SimpleEvents
import Testing

/// L1 to L3 and L5: the decisions of the gate, without tasks.
@Suite struct RefreshGateTests {
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
    #expect(!gate.isSettled(isDeliveryPending: true))
    #expect(gate.deliver() == .start)
  }

  @Test("L3: a delivery cancels the run once, and the next starts when it has ended")
  func restart() {
    let gate = running(.restart)
    #expect(gate.deliver() == .cancel)
    #expect(gate.isCancelled)
    #expect(gate.deliver() == nil)
    #expect(gate.end(isDeliveryPending: true) == .start)
    #expect(!gate.isCancelled)
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
    #expect(!due.isSettled(isDeliveryPending: false))
    #expect(!due.begin())
    #expect(due.end(isDeliveryPending: false) == nil)
    #expect(due.isSettled(isDeliveryPending: false))

    let busy = running(mode)
    _ = busy.deliver()
    busy.stop()
    #expect(busy.deliver() == nil)
    #expect(busy.end(isDeliveryPending: false) == nil)
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

    func deliver() -> RefreshGate.Step? { gate.deliver() }
    func begin() -> Bool { gate.begin() }
    func end(isDeliveryPending: Bool) -> RefreshGate.Step? { gate.end(isDeliveryPending: isDeliveryPending) }
    func stop() { gate.stop() }
    func isSettled(isDeliveryPending: Bool) -> Bool { gate.isSettled(isDeliveryPending: isDeliveryPending) }
  }
}

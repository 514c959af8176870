import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L5, S7: a wait for the end of runs lasts until the dropped elements are discarded.
struct DiscardedElementTests {
  /// Elements whose function of the user is slow.
  private struct SlowInput: LoopInput {
    let discarding: @Sendable () -> Void

    var hasElements: Bool { true }
    var rest: CoalescingGate.Rest { CoalescingGate.Rest() }
    func flush() {}
    func take() {}
    func value(of taken: Void) -> Int? { 0 }
    func keep(_ value: Int) {}
    func answer(_ value: Int, _ error: (any Error)?) {}
    func discard(_ value: Int) {}
    func takeAll() -> (() -> Void)? { discarding }
    func droppedCount(_ value: Int) -> Int { 0 }
  }

  private let scheduler = TestScheduler()
  private let log = Log()

  @Test(
    "L5: a run that ends while queued elements are discarded does not end a wait", arguments: [false, true])
  func discards(_ isStopped: Bool) {
    let reference = Shared<LoopRuns?>(nil)
    let task = LoopTask()
    let runs = LoopRuns(
      on: scheduler, policy: .nextTurn, DiagnosticSubject(DiscardedElementTests.self),
      input: SlowInput { [log] in
        log.add("discarding")
        // Another thread may end the run in progress, and wait, during this call.
        reference.value?.end(.succeeded)
        reference.value?.add(LoopWait(until: .settled)) { _ in log.add("settled") }
        #expect(reference.value?.isSettled == false)
        log.add("discarded")
      }, start: nil)
    reference.value = runs
    #expect(runs.host(task))
    runs.request()
    guard case .run = runs.begin(task) else {
      Issue.record("no run")
      return
    }
    runs.request()
    if isStopped { runs.stop() } else { runs.cancel() }
    #expect(log.entries == ["discarding", "discarded", "settled"])
    #expect(runs.isSettled)
    reference.value = nil
  }
}

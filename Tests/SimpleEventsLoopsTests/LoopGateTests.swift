import SimpleEvents
import SimpleEventsLoops
import TestSupport
import Testing

/// L1 to L3, L5 and L8: the decisions of a loop's gate, without tasks.
struct LoopGateTests {
  private typealias Step = CoalescingGate.Step

  static let modes: [CoalescingPolicy.Traits] = [.makesRuns, .restarts, .ignores]

  private let nothing = Step()
  private let turn = Step(requestsTurn: true)
  private let task = Step(startsRun: true)

  private func due(_ mode: CoalescingPolicy.Traits = .makesRuns) -> GateReference {
    let gate = GateReference(runs: mode)
    _ = gate.signal(at: nil)
    return gate
  }

  private func running(_ mode: CoalescingPolicy.Traits = .makesRuns) -> GateReference {
    let gate = due(mode)
    _ = gate.begin()
    return gate
  }

  /// Returns a gate that waits for a retry.
  private func waiting(_ mode: CoalescingPolicy.Traits = .makesRuns) -> GateReference {
    let gate = running(mode)
    _ = gate.end(.waits)
    return gate
  }

  private func expectIdle(_ gate: GateReference) {
    #expect(!gate.isPending && !gate.isRunning && !gate.isRunDue && gate.begin() == nil)
  }

  @Test("L1: requests before the run has begun request one task, and are part of the run", arguments: modes)
  func requestsBeforeBeginning(_ mode: CoalescingPolicy.Traits) {
    let gate = GateReference(runs: mode)
    #expect(gate.signal(at: nil) == task)
    #expect(gate.signal(at: nil) == nothing)
    #expect(gate.isRunDue)
    #expect(gate.begin() == Step(delivers: true))
    #expect(!gate.isPending && gate.isRunning)
    #expect(gate.end(.done) == nothing)
    expectIdle(gate)
  }

  @Test("L1: a task that comes during a run, or for a cancelled request, begins no run")
  func staleTask() {
    let gate = running()
    #expect(gate.begin() == nil && gate.isRunning)
    _ = gate.end(.done)
    _ = gate.signal(at: nil)
    gate.cancel()
    #expect(gate.signal(at: nil) == nothing, "the task of the first request is on its way")
    gate.cancel()
    expectIdle(gate)
    #expect(gate.signal(at: nil) == task)
  }

  @Test("L2: a host that waits is resumed, also if an earlier requested task has found no run")
  func hostWaits() {
    let gate = due()
    #expect(!gate.awaitRun())
    gate.cancel()
    #expect(gate.awaitRun())
    #expect(gate.signal(at: nil) == task)
  }

  @Test("L3, C5: a request during a run requests a turn, and the next run follows the run in progress")
  func rerun() {
    let gate = running()
    #expect(gate.signal(at: nil) == turn)
    #expect(gate.signal(at: nil) == nothing)
    #expect(gate.turnReached() == Step(delivers: true))
    #expect(gate.isPending && !gate.isRunDue)
    #expect(gate.end(.done) == task)
    #expect(gate.begin() == nothing)
    #expect(gate.end(.done) == nothing)
    expectIdle(gate)
  }

  @Test("L2: if a run ends before the turn of a request, the next run needs no turn", arguments: modes)
  func lateTurn(_ mode: CoalescingPolicy.Traits) {
    let gate = running(mode)
    #expect(gate.signal(at: nil) == turn)
    #expect(gate.end(.done) == task)
    #expect(gate.turnReached() == nothing)
    #expect(gate.begin() == Step(delivers: true))
    #expect(gate.signal(at: nil) == turn)
  }

  @Test("L3: the rerun is part of a delivery that is pending when the run ends")
  func rerunWithPendingDelivery() {
    let gate = runningInWindow(.makesRuns)
    #expect(gate.end(.done) == nothing)
    #expect(gate.isPending && !gate.isRunDue && !gate.isWaiting)
    #expect(gate.deadlineReached(at: .ms(23), ticket: 3) == task)
    #expect(gate.begin() == Step(delivers: true))
  }

  @Test("L3, C7: a rerun that was flushed covers the delivery that is pending when the run ends")
  func flushedRerun() {
    let gate = runningInWindow(.makesRuns)
    var step = task
    step.delivers = true
    #expect(gate.end(.done, isFlushed: true) == step)
    #expect(gate.begin() == nothing)
    #expect(gate.deadlineReached(at: .ms(23), ticket: 3) == nothing)
    #expect(!gate.isPending)
  }

  /// Returns a gate with a run in progress and another run due after it. Its window has a signal that is not
  /// delivered.
  private func runningInWindow(_ mode: CoalescingPolicy.Traits) -> GateReference {
    let gate = GateReference(.debounce(.milliseconds(10)), runs: mode)
    _ = gate.signal(at: .ms(0))
    #expect(gate.deadlineReached(at: .ms(10), ticket: 1) == task)
    _ = gate.begin()
    _ = gate.signal(at: .ms(11))
    #expect(gate.deadlineReached(at: .ms(21), ticket: 2).delivers)
    _ = gate.signal(at: .ms(13))
    return gate
  }

  @Test("L3: a delivery cancels the run, and the next run starts when it has ended")
  func restart() {
    let gate = running(.restarts)
    #expect(gate.signal(at: nil) == turn)
    #expect(gate.turnReached().cancelsRun)
    #expect(gate.end(.done) == task)
    #expect(gate.begin() == nothing)
    let busy = runningInWindow(.restarts)
    #expect(busy.end(.done) == task, "the next run does not wait for the window")
    #expect(busy.begin() == nothing && busy.isPending)
  }

  @Test("L3: a delivery during a run is dropped")
  func ignore() {
    let gate = running(.ignores)
    #expect(gate.signal(at: nil) == turn)
    #expect(gate.turnReached() == Step(delivers: true))
    #expect(!gate.isPending)
    #expect(gate.end(.done) == nothing)
    #expect(gate.signal(at: nil) == task)
  }

  @Test("L5: nothing starts after a stop", arguments: modes)
  func stop(_ mode: CoalescingPolicy.Traits) {
    for gate in [GateReference(runs: mode), due(mode), waiting(mode)] {
      gate.close()
      #expect(gate.signal(at: nil) == .ignored)
      expectIdle(gate)
    }
    let busy = running(mode)
    _ = busy.signal(at: nil)
    busy.close()
    #expect(busy.isRunning && busy.turnReached() == nothing)
    #expect(busy.end(.done) == nothing)
    expectIdle(busy)
  }

  @Test("L5: finish lets one run follow for the pending requests", arguments: modes)
  func finish(_ mode: CoalescingPolicy.Traits) {
    let idle = GateReference(runs: mode)
    #expect(idle.concludeRuns() == nothing && idle.signal(at: nil) == .ignored)
    expectIdle(idle)
    #expect(GateReference(runs: mode).concludeRuns(isPending: true) == task)

    let due = due(mode)
    #expect(due.concludeRuns() == nothing && due.signal(at: nil) == .ignored)
    #expect(due.begin() == nothing)
    #expect(due.end(.done) == nothing)
    expectIdle(due)

    let busy = running(mode)
    _ = busy.signal(at: nil)
    #expect(busy.concludeRuns() == nothing)
    #expect(busy.end(.done) == task)
    #expect(busy.begin() == nothing && busy.end(.done) == nothing)
    expectIdle(busy)

    #expect(waiting(mode).concludeRuns() == task)
  }

  @Test("L8: requests during the wait for a retry are part of the attempt", arguments: modes)
  func joinsRetry(_ mode: CoalescingPolicy.Traits) {
    let gate = waiting(mode)
    #expect(gate.isWaiting && gate.isPending && gate.begin() == nil)
    #expect(gate.signal(at: nil) == turn)
    #expect(gate.turnReached() == Step(delivers: true))
    #expect(gate.isWaiting)
    #expect(gate.signal(at: nil) == turn)
    #expect(gate.endWait() == task)
    #expect(gate.turnReached() == nothing)
    #expect(gate.begin() == nothing)
    #expect(gate.end(.done) == nothing)
    expectIdle(gate)
  }

  @Test("L9: work that is repeated is due when the run ends", arguments: modes)
  func repeats(_ mode: CoalescingPolicy.Traits) {
    let gate = running(mode)
    _ = gate.concludeRuns()
    #expect(gate.end(.repeats) == task)
    #expect(gate.begin() == nothing && gate.end(.repeats) == task)
    #expect(gate.begin() == nothing && gate.end(.done) == nothing)
    expectIdle(gate)
  }

  @Test("C7, L8: flush ends the wait for a retry and closes the window, and cancel drops the retry")
  func flushAndCancel() {
    let gate = GateReference(.debounce(.milliseconds(10), edges: .leading), runs: .makesRuns)
    #expect(gate.signal(at: .ms(0)) == task)
    _ = gate.begin()
    _ = gate.end(.waits)
    #expect(gate.flush(isSignalled: false) == task)
    #expect(gate.begin() == nothing)
    #expect(gate.signal(at: .ms(1)) == turn, "the window is closed")
    _ = gate.end(.waits)
    gate.cancel()
    expectIdle(gate)
    #expect(gate.signal(at: .ms(2)) == task)
  }

  @Test("C7: flush closes the window of a due run that waits for its host")
  func flushOfDueRun() {
    let gate = GateReference(.debounce(.milliseconds(10), edges: .leading), runs: .makesRuns)
    #expect(gate.signal(at: .ms(0)) == task)
    #expect(gate.flush(isSignalled: false) == nothing)
    _ = gate.begin()
    _ = gate.end(.done)
    #expect(gate.signal(at: .ms(1)) == task)
  }

  @Test("S7: a run whose task was requested survives a loss, and a delivery that needs a turn does not")
  func loss() {
    let gate = running()
    _ = gate.signal(at: nil)
    _ = gate.end(.done)
    #expect(gate.lose(alarm: nil) && gate.isRunDue)
    _ = gate.begin()
    _ = gate.signal(at: nil)
    #expect(gate.lose(alarm: nil) && !gate.isPending)
  }
}

import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L3 without tasks: the test begins and ends the runs in each order that is possible for tasks.
struct LoopRunsTests {
  /// A stand-in for a task. It records its cancellation.
  private struct NamedTask: CancellableRun {
    let name: String
    let log: Log

    func cancel() { log.add("\(name) cancelled") }
  }

  /// An element that records its release.
  private final class Parcel: Sendable {
    private let log: Log

    init(_ log: Log) { self.log = log }

    deinit { log.add("released") }
  }

  private let scheduler = TestScheduler()
  private let log = Log()

  /// The tasks that an owned loop has requested.
  private final class MadeTasks: Sendable {
    private let tasks: Guarded<[LoopTask]> = Guarded([])

    var all: [LoopTask] { tasks.withLock { $0 } }

    func add(_ task: LoopTask) { tasks.withLock { $0.append(task) } }
  }

  private func ownedRuns(
    on scheduler: some EventScheduler, _ made: MadeTasks, _ policy: CoalescingPolicy = .nextTurn,
    _ whenBusy: RefreshLoop.WhenBusy = .rerun
  ) -> LoopRuns {
    LoopRuns(on: scheduler, policy: policy, whenBusy: whenBusy, DiagnosticSubject(LoopRunsTests.self)) {
      _, task, _ in made.add(task)
    }
  }

  /// Whether the step of a task is a run.
  private func isRun(_ step: LoopRuns.HostStep) -> Bool { if case .run = step { true } else { false } }

  @Test("L3, C3: the end of a window requests no second task while a task has not begun")
  func lateTask() throws {
    let made = MadeTasks()
    let runs = ownedRuns(on: scheduler, made, .throttle(.milliseconds(100)), .restart)
    // The task of the leading delivery does not begin before the window ends.
    runs.request()
    scheduler.advance(by: .milliseconds(100))
    let task = try #require(made.all.count == 1 ? made.all.first : nil)
    #expect(isRun(runs.begin(task)))
    task.store(NamedTask(name: "first", log: log))
    scheduler.advance(by: .milliseconds(10))
    runs.request()
    #expect(log.entries == [])
    scheduler.advance(by: .zero)
    #expect(log.entries == ["first cancelled"])
    #expect(runs.end(.cancelled))
    #expect(made.all.count == 2)
    runs.stop()
  }

  private func hostedRuns() -> LoopRuns {
    LoopRuns(
      on: scheduler, policy: .nextTurn, whenBusy: .rerun, DiagnosticSubject(LoopRunsTests.self), start: nil
    )
  }

  @Test("L7: a task that was cancelled begins no run, and later requests stay for the next host")
  func cancelledTask() {
    let runs = hostedRuns()
    let (cancelled, next) = (LoopTask(), LoopTask())
    #expect(runs.host(cancelled))
    runs.request()
    cancelled.cancel()
    runs.request()
    #expect(!isRun(runs.begin(cancelled)) && runs.isPending)
    runs.leave(cancelled)
    #expect(runs.host(next) && isRun(runs.begin(next)) && !runs.isPending)
    runs.end(.succeeded)
    runs.stop()
  }

  @Test("L5, C9: elements of a failed run are discarded before the waits for its end are over")
  func discardsBeforeWaits() {
    let runs = hostedRuns()
    let task = LoopTask()
    #expect(runs.host(task))
    runs.request()
    #expect(isRun(runs.begin(task)))
    let add = { runs.add(LoopWait(until: .settled)) { [log] _ in log.add("settled") } }
    add()
    var result = RunResult.cancelled
    result.discards = true
    runs.end(
      result,
      beforeEffects: {
        // A wait that begins now also lasts until the elements are discarded.
        add()
        #expect(log.entries == [] && !runs.isSettled)
      })
    #expect(log.entries == ["settled", "settled"] && runs.isSettled)
    runs.stop()
  }

  @Test("L2: a run that begins answers the requests that are due or wait only for a turn")
  func pendingTurn() {
    let runs = hostedRuns()
    // The turn of this request comes before there is a host.
    runs.request()
    scheduler.advance(by: .zero)
    runs.request()
    let host = LoopTask()
    #expect(runs.host(host))
    #expect(isRun(runs.begin(host)))
    #expect(!runs.isPending)
    scheduler.advance(by: .zero)
    runs.end(.succeeded)
    #expect(runs.isSettled)
    runs.leave(host)
  }

  @Test("L2: a host that does not wait yet finds the requests without a turn of the scheduler")
  func turnBeforeWait() {
    let runs = hostedRuns()
    let host = LoopTask()
    #expect(runs.host(host))
    for _ in 0..<3 { runs.request() }
    runs.add(LoopWait(until: .run(host))) { [log] in log.add("\($0)") }
    #expect(log.entries == ["reached"])
    #expect(isRun(runs.begin(host)))
    runs.end(.succeeded)
    #expect(runs.isSettled)
    runs.leave(host)
  }

  @Test("L2: a task that replaces the task of a host takes over its turn")
  func replacedHost() {
    let runs = hostedRuns()
    let (first, second) = (LoopTask(), LoopTask())
    #expect(runs.host(first))
    // The turn of this request comes while the host does not wait.
    runs.request()
    runs.replaceHost(first, by: second)
    runs.add(LoopWait(until: .run(second))) { [log] in log.add("\($0)") }
    #expect(log.entries == ["reached"])
    #expect(isLeave(runs.begin(first)))
    #expect(isRun(runs.begin(second)))
    runs.end(.succeeded)
    runs.leave(second)
  }

  /// Whether a task makes no further run.
  private func isLeave(_ step: LoopRuns.HostStep) -> Bool { if case .leave = step { true } else { false } }

  @Test("L1, C3: two requests request one task, even if the first is cancelled")
  func oneTask() throws {
    let made = MadeTasks()
    let runs = ownedRuns(on: scheduler, made)
    runs.request()
    runs.cancel()
    runs.request()
    let tasks = made.all
    #expect(tasks.count == 1)
    #expect(isRun(runs.begin(tasks[0])))
    #expect(!isRun(runs.begin(LoopTask())), "L1: runs never overlap")
    runs.end(.succeeded)
    #expect(!isRun(runs.begin(LoopTask())) && runs.isSettled)
  }

  @Test("S7: when a loss ends a wait, nothing is pending any more, and the elements are released")
  func lossBeforeWait() {
    let scheduler = ForgetfulScheduler()
    let elements = BatchElements<Parcel>(keeping: .unlimited, for: DiagnosticSubject(LoopRunsTests.self))
    let runs = LoopRuns(
      on: scheduler, policy: .audit(.milliseconds(5)), DiagnosticSubject(LoopRunsTests.self),
      input: elements, start: nil)
    elements.queued.add(LoopElement(Parcel(log)), to: runs)
    runs.add(LoopWait(until: .settled)) { [log] _ in
      log.add("settled, \(runs.withLock { elements.isEmpty } ? "empty" : "pending")")
    }
    scheduler.forget()
    #expect(log.entries == ["released", "settled, empty"])
  }

  @Test("S7: a wait ends after the loss of a retry is recorded")
  func lossOfRetryBeforeWait() {
    let scheduler = ForgetfulScheduler()
    let elements = BatchElements<Parcel>(keeping: .unlimited, for: DiagnosticSubject(LoopRunsTests.self))
    let runs = LoopRuns(
      on: scheduler, policy: .nextTurn, DiagnosticSubject(LoopRunsTests.self), input: elements,
      start: { _, _, _ in })
    elements.queued.add(LoopElement(Parcel(log)), to: runs)
    var batch: LoopBatch<Parcel>?
    #expect(isRun(runs.begin(LoopTask()) { batch = elements.value(of: elements.take()) }))
    runs.end(.failed(retryAfter: .milliseconds(5))) { elements.keep(batch!) }
    batch = nil
    runs.add(LoopWait(until: .settled)) { [log] _ in
      log.add("settled, \(runs.withLock { elements.isEmpty } ? "empty" : "pending")")
    }
    scheduler.forget()
    #expect(log.entries.last == "settled, empty")
  }

  @Test("S7: a request without a host waits for the host, not for the scheduler", arguments: [false, true])
  func lossWithoutHost(isLostBefore: Bool) {
    let scheduler = ForgetfulScheduler()
    let runs = LoopRuns(
      on: scheduler, policy: .nextTurn, whenBusy: .rerun, DiagnosticSubject(LoopRunsTests.self), start: nil
    )
    if isLostBefore { scheduler.forget() }
    runs.request()
    scheduler.forget()
    #expect(runs.isPending && runs.needsHost)
    let host = LoopTask()
    #expect(runs.host(host))
    runs.add(LoopWait(until: .run(host))) { [log] in log.add("\($0)") }
    #expect(log.entries == ["reached"])
    #expect(isRun(runs.begin(host)))
    runs.end(.succeeded)
    #expect(runs.isSettled)
    runs.leave(host)
  }

  @Test("S7: requests that a host leaves survive a lost scheduler, even if one has requested a turn")
  func lossAfterHost() {
    let scheduler = ForgetfulScheduler()
    let runs = LoopRuns(
      on: scheduler, policy: .nextTurn, DiagnosticSubject(LoopRunsTests.self), start: nil)
    let host = LoopTask()
    #expect(runs.host(host))
    runs.request()
    #expect(isRun(runs.begin(host)))
    // During the run, this request requests a turn.
    runs.request()
    runs.end(.cancelled)
    runs.leave(host)
    scheduler.forget()
    #expect(runs.isPending && runs.needsHost)
    let next = LoopTask()
    #expect(runs.host(next) && isRun(runs.begin(next)))
    runs.end(.succeeded)
    #expect(runs.isSettled)
  }

  @Test("L2: a request that has requested a turn does not wait for it when the run in progress ends")
  func turnOfBusyThread() {
    let made = MadeTasks()
    let runs = ownedRuns(on: ForgetfulScheduler(), made)
    runs.request()
    #expect(isRun(runs.begin(made.all[0])))
    runs.request()
    runs.end(.succeeded)
    #expect(made.all.count == 2, "the turn has not come")
    #expect(isRun(runs.begin(made.all[1])))
    runs.stop()
  }

  @Test("L5: a task that outlives the loop of its run may wait for another loop, even at the same address")
  func outlivedLoop() {
    let made = MadeTasks()
    var runs: LoopRuns? = ownedRuns(on: scheduler, made)
    let address = runs.map { ObjectIdentifier($0) }
    let scope = RunScope(runs!, number: 1, in: nil)
    #expect(RunScope.$current.withValue(scope) { RunScope.number(ofRunOf: runs!) } == 1)
    runs = nil
    var others: [LoopRuns] = []
    repeat {
      others.append(ownedRuns(on: scheduler, made))
    } while ObjectIdentifier(others.last!) != address && others.count < 1000
    for other in others {
      #expect(RunScope.$current.withValue(scope) { RunScope.number(ofRunOf: other) } == nil)
    }
  }
}

import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// L3 without tasks: the test begins and ends the runs in the order in which tasks may.
@Suite struct RefreshRunsTests {
  /// A task in name, which notes its cancellation.
  private struct NamedTask: CancellableRun {
    let name: String
    let log: Log

    func cancel() { log.add("\(name) cancelled") }
  }

  private let scheduler = TestScheduler()
  private let log = Log()

  @Test("L3: a turn that comes late, during a run that a deadline has started, cancels that run")
  func lateTurn() throws {
    let made = Guarded<[RefreshRun]>([])
    let runs = RefreshRuns(
      on: scheduler, policy: .throttle(.milliseconds(100)), whenBusy: .restart,
      DiagnosticSubject(RefreshRunsTests.self)
    ) { _, run in
      made.withLock { $0.append(run) }
    }
    // The task of the leading delivery does not begin before the window ends.
    runs.request()
    scheduler.advance(by: .milliseconds(100))
    let tasks = made.withLock { $0 }
    try #require(tasks.count == 2)
    #expect(runs.begin(tasks[1]))
    tasks[1].store(NamedTask(name: "second", log: log))
    scheduler.advance(by: .milliseconds(10))
    runs.request()
    #expect(!runs.begin(tasks[0]))
    #expect(log.entries == ["second cancelled"])
    #expect(runs.end(.cancelled))
    #expect(made.withLock { $0.count } == 3)
    runs.stop()
  }

  private func hostedRuns() -> RefreshRuns {
    RefreshRuns(
      on: scheduler, policy: .nextTurn, whenBusy: .rerun, DiagnosticSubject(RefreshRunsTests.self), start: nil
    )
  }

  @Test("L2: a run answers the requests that wait for nothing but a turn when it begins")
  func pendingTurn() {
    let runs = hostedRuns()
    // The turn of this request comes before there is a host.
    runs.request()
    scheduler.advance(by: .zero)
    runs.request()
    let host = RefreshRun()
    #expect(runs.host(host) == .host)
    #expect(runs.beginHosted(host) == .run)
    #expect(!runs.isPending)
    scheduler.advance(by: .zero)
    runs.end(.succeeded)
    #expect(runs.isSettled)
    runs.leave(host)
  }

  @Test("L2: a host that does not wait yet finds the requests without a turn of the scheduler")
  func turnBeforeWait() {
    let runs = hostedRuns()
    let host = RefreshRun()
    #expect(runs.host(host) == .host)
    for _ in 0..<3 { runs.request() }
    runs.begin(waitOf: host) { [log] in log.add("\($0)") }
    #expect(log.entries == ["reached"])
    #expect(runs.beginHosted(host) == .run)
    runs.end(.succeeded)
    #expect(runs.isSettled)
    runs.leave(host)
  }
}

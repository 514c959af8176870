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
  func lateTurn() {
    let made = Guarded<[(run: RefreshRun, isTurn: Bool)]>([])
    let runs = RefreshRuns(
      on: scheduler, policy: .throttle(.milliseconds(100)), whenBusy: .restart,
      DiagnosticSubject(RefreshRunsTests.self)
    ) { _, run, isTurn in
      made.withLock { $0.append((run, isTurn)) }
    }
    // The task of the leading delivery does not begin before the window ends.
    runs.request()
    scheduler.advance(by: .milliseconds(100))
    let tasks = made.withLock { $0 }
    #expect(tasks.map(\.isTurn) == [true, false])
    #expect(runs.begin(tasks[1].run, isTurn: false))
    tasks[1].run.store(NamedTask(name: "second", log: log))
    scheduler.advance(by: .milliseconds(10))
    runs.request()
    #expect(!runs.begin(tasks[0].run, isTurn: true))
    #expect(log.entries == ["second cancelled"])
    #expect(runs.end(.cancelled))
    #expect(made.withLock { $0.count } == 3)
    runs.stop()
  }
}

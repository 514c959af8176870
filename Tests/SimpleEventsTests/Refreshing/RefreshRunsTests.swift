import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// L3 without tasks: the test begins and ends the runs in the order in which tasks may.
struct RefreshRunsTests {
  /// A task in name, which notes its cancellation.
  private struct NamedTask: CancellableRun {
    let name: String
    let log: Log

    func cancel() { log.add("\(name) cancelled") }
  }

  /// An element that notes its release.
  private final class Parcel: Sendable {
    private let log: Log

    init(_ log: Log) { self.log = log }

    deinit { log.add("released") }
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

  @Test("L2: a task that replaces the task of a host has its turn")
  func replacedHost() {
    let runs = hostedRuns()
    let (first, second) = (RefreshRun(), RefreshRun())
    #expect(runs.host(first) == .host)
    // The turn of this request comes while the host does not wait.
    runs.request()
    runs.replaceHost(first, by: second)
    runs.begin(waitOf: second) { [log] in log.add("\($0)") }
    #expect(log.entries == ["reached"])
    #expect(runs.beginHosted(first) == .end)
    #expect(runs.beginHosted(second) == .run)
    runs.end(.succeeded)
    runs.leave(second)
  }

  @Test("L3: of two tasks that were created for one run, the second one makes none")
  func staleTask() throws {
    let made = Guarded<[RefreshRun]>([])
    let runs = RefreshRuns(
      on: scheduler, policy: .nextTurn, whenBusy: .rerun, DiagnosticSubject(RefreshRunsTests.self)
    ) { _, run in
      made.withLock { $0.append(run) }
    }
    runs.request()
    runs.cancel()
    runs.request()
    let tasks = made.withLock { $0 }
    for (place, task) in tasks.enumerated() {
      #expect(runs.begin(task) == (place == 0))
      if place == 0 { runs.end(.succeeded) }
    }
    #expect(!tasks.isEmpty && runs.isSettled)
  }

  @Test("S7: a wait ends after the loss is recorded: nothing is pending, and the elements are released")
  func lossBeforeWait() {
    let scheduler = ForgetfulScheduler()
    let runs = BatchRuns<Parcel>(
      on: scheduler, policy: .audit(.milliseconds(5)), keeping: .unlimited,
      DiagnosticSubject(RefreshRunsTests.self), start: nil)
    runs.add(Parcel(log))
    runs.begin(RefreshWait(until: .settled)) { [log] _ in
      log.add("settled, \(runs.hasElements ? "pending" : "empty")")
    }
    scheduler.forget()
    #expect(log.entries == ["released", "settled, empty"])
  }

  @Test("S7: a wait ends after the loss of a retry is recorded")
  func lossOfRetryBeforeWait() {
    let scheduler = ForgetfulScheduler()
    let runs = BatchRuns<Parcel>(
      on: scheduler, policy: .nextTurn, keeping: .unlimited, DiagnosticSubject(RefreshRunsTests.self),
      start: { _, _ in })
    runs.add(Parcel(log))
    #expect(runs.begin(RefreshRun()))
    let batch = runs.takeBatch()
    runs.end(.failed(isRetried: true), retryAfter: .milliseconds(5)) { runs.putBack(batch!) }
    runs.begin(RefreshWait(until: .settled)) { [log] _ in
      log.add("settled, \(runs.hasElements ? "pending" : "empty")")
    }
    scheduler.forget()
    #expect(log.entries.last == "settled, empty")
  }

  @Test("S7: a request without a host waits for the host, not for the scheduler", arguments: [false, true])
  func lossWithoutHost(isLostBefore: Bool) {
    let scheduler = ForgetfulScheduler()
    let runs = RefreshRuns(
      on: scheduler, policy: .nextTurn, whenBusy: .rerun, DiagnosticSubject(RefreshRunsTests.self), start: nil
    )
    if isLostBefore { scheduler.forget() }
    runs.request()
    scheduler.forget()
    #expect(runs.isPending && runs.needsHost)
    let host = RefreshRun()
    #expect(runs.host(host) == .host)
    runs.begin(waitOf: host) { [log] in log.add("\($0)") }
    #expect(log.entries == ["reached"])
    #expect(runs.beginHosted(host) == .run)
    runs.end(.succeeded)
    #expect(runs.isSettled)
    runs.leave(host)
  }
}

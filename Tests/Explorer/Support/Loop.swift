internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops

/// The runs of a refresh loop. Their tasks are turns of a concurrent queue.
final class Loop {
  /// A stand-in for a task. It records its cancellation.
  // SAFETY: all fibers run on one thread.
  final class Run: CancellableRun, @unchecked Sendable {
    let cancelled: Latch = Latch()

    func cancel() {
      expectUnlocked()
      cancelled.open()
    }
  }

  private(set) var count: Int = 0
  private(set) var isRunning: Bool = false
  private var isStopped: Bool = false
  /// Whether a requested task has not begun a run yet.
  fileprivate var isAsked: Bool = false
  private var latest: Run?
  private let runs: LoopRuns

  init(
    _ policy: CoalescingPolicy, _ whenBusy: RefreshLoop.WhenBusy,
    on queue: any EventScheduler = DispatchQueue(label: "queue"), _ body: @escaping (Loop, Run) -> Void
  ) {
    let tasks = DispatchQueue(label: "tasks", attributes: .concurrent)
    var loop: (() -> Loop?) = { nil }
    runs = LoopRuns(
      on: queue, policy: policy, whenBusy: whenBusy, DiagnosticSubject(Loop.self)
    ) { runs, made, _ in
      expectUnlocked()
      expect(loop()?.take(made) != false, "C3: no task is asked for before the previous one has begun")
      let run = Run()
      tasks.run {
        let wasStopped = loop()?.isStopped == true
        loop()?.isAsked = false
        guard case .run = runs.begin(made) else { return }
        // A stop between this check and the body waits for the run.
        expect(!wasStopped, "L5: nothing starts after a stop")
        if let loop = loop() { loop.take(run) { body(loop, run) } }
        runs.end(.succeeded)
      }
      made.store(run)
    }
    loop = { [unowned self] in self }
  }

  private func take(_ made: LoopTask) -> Bool {
    defer { isAsked = true }
    return !isAsked
  }

  private func take(_ run: Run, _ body: () -> Void) {
    expectUnlocked()
    expect(!isRunning, "L1: runs never overlap")
    isRunning = true
    count += 1
    latest = run
    step()
    body()
    isRunning = false
  }

  func request() { runs.request() }

  func cancel() { runs.cancel() }

  func flush() { runs.flush() }

  /// - Parameter hasMore: Whether an observed event has a pending request.
  func close(hasMore: Bool = false) { runs.close(hasMore: hasMore) }

  /// Calls a closure when the loop has settled, or immediately if it already has.
  func whenSettled(_ body: @escaping () -> Void) { begin(makeWait(), body) }

  func begin(_ wait: LoopWait, _ body: @escaping () -> Void) {
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let body = body
    runs.add(wait) { _ in
      expectUnlocked()
      body()
    }
  }

  func cancel(_ wait: LoopWait) { runs.remove(wait) }

  func makeWait() -> LoopWait { LoopWait(until: .settled) }

  func stop(_ body: @escaping () -> Void) {
    runs.stop()
    isStopped = true
    whenSettled(body)
  }

  /// Checks, after all runs have ended, that the last run was not cancelled: no request came during it.
  func expectLastRunGoesOn() {
    expect(
      latest?.cancelled.isOpen != true, "L3: a run is cancelled only for a request that another run serves")
  }

  var isSettled: Bool { runs.isSettled }

  var isPending: Bool { runs.isPending }

  /// Whether a run has begun and not ended. The body of the run may not have begun.
  var hasRunInProgress: Bool { runs.isRunning }
}

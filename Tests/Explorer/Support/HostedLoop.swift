internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// A loop without a body, and hosts that come and go. The task of a host is a turn of a concurrent queue for
/// each step.
final class HostedLoop {
  let runs: RefreshRuns
  private(set) var count: Int = 0
  private(set) var isRunning: Bool = false
  private let tasks: DispatchQueue = DispatchQueue(label: "tasks", attributes: .concurrent)

  init(_ runs: RefreshRuns) { self.runs = runs }

  convenience init(_ policy: CoalescingPolicy) {
    self.init(
      RefreshRuns(
        on: DispatchQueue(label: "queue"), policy: policy, whenBusy: .rerun,
        DiagnosticSubject(HostedLoop.self), start: nil))
  }

  /// A task of a host, which may be cancelled.
  // SAFETY: all fibers run on one thread.
  final class Host: CancellableRun, @unchecked Sendable {
    let run: RefreshRun = RefreshRun()
    private(set) var hasLeft: Bool = false
    private(set) var isCancelled: Bool = false
    private let loop: HostedLoop
    private let body: () -> Void
    private let end: (_ isCancelled: Bool) -> Bool

    init(_ loop: HostedLoop, _ body: @escaping () -> Void, _ end: @escaping (Bool) -> Bool) {
      self.loop = loop
      self.body = body
      self.end = end
      run.store(self)
    }

    func cancel() {
      expectUnlocked()
      isCancelled = true
      loop.runs.cancel(waitOf: run)
    }

    /// Waits for a run, in a turn of its own, as a task that is resumed.
    func goOn() {
      loop.tasks.run { [self] in
        loop.runs.begin(waitOf: run) { [self] end in
          expectUnlocked()
          if end == .reached { loop.tasks.run { self.goIntoRun() } } else { leave() }
        }
      }
    }

    private func goIntoRun() {
      switch loop.runs.beginHosted(run) {
      case .end: leave()
      case .wait: goOn()
      case .run:
        expect(!loop.isRunning, "L1: runs never overlap")
        loop.isRunning = true
        loop.count += 1
        step()
        body()
        loop.isRunning = false
        if end(isCancelled) || isCancelled { leave() } else { goOn() }
      }
    }

    private func leave() {
      expect(!hasLeft, "L7: a host leaves once")
      hasLeft = true
      loop.runs.leave(run)
    }
  }

  /// Starts a host; nil if there is one already, or the loop has ended.
  ///
  /// - Parameters:
  ///   - body: The body of a run.
  ///   - end: Ends a run of a host that may be cancelled; returns whether the run was cancelled.
  func host(_ body: @escaping () -> Void, _ end: ((Bool) -> Bool)? = nil) -> Host? {
    let host = Host(self, body, end ?? { [runs] in runs.end($0 ? .cancelled : .succeeded) })
    guard case .host = runs.host(host.run) else { return nil }
    host.goOn()
    return host
  }
}

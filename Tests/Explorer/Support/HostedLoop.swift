internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops

/// A loop without a body, and its changing hosts. Each step of a host's task is a turn of a concurrent queue.
final class HostedLoop {
  let runs: LoopRuns
  private(set) var count: Int = 0
  private(set) var isRunning: Bool = false
  private let tasks: DispatchQueue = DispatchQueue(label: "tasks", attributes: .concurrent)

  init(_ runs: LoopRuns) { self.runs = runs }

  convenience init(
    _ policy: CoalescingPolicy, _ whenBusy: RefreshLoop.WhenBusy = .rerun,
    on queue: any EventScheduler = DispatchQueue(label: "queue")
  ) {
    self.init(
      LoopRuns(
        on: queue, policy: policy, whenBusy: whenBusy, DiagnosticSubject(HostedLoop.self), start: nil))
  }

  /// A stand-in for a host's task.
  private final class Serving: CancellableRun, Sendable {
    private struct State {
      var isCancelled: Bool = false
      var wait: LoopWait?
    }

    let task: LoopTask = LoopTask()
    private let runs: LoopRuns
    /// The state is guarded by a lock, because the runtime orders a cancellation with the task.
    private let state: Guarded<State> = Guarded(State())

    init(_ runs: LoopRuns) {
      self.runs = runs
      task.store(self)
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
      expectUnlocked()
      let wait = state.withLock { state in
        state.isCancelled = true
        return state.wait
      }
      if let wait { runs.remove(wait) }
    }

    func waitForRun(_ resume: @escaping CancellableWait.Resume) {
      let wait = LoopWait(until: .run(task))
      let isCancelled = state.withLock { state in
        state.wait = wait
        return state.isCancelled
      }
      if isCancelled { runs.remove(wait) }
      runs.add(wait, resume)
    }
  }

  /// A host that may be cancelled.
  // SAFETY: all fibers run on one thread.
  final class Host: @unchecked Sendable {
    private(set) var hasLeft: Bool = false
    /// Whether another task replaces a task whose run was cancelled.
    var replacesTask: Bool = false
    private var serving: Serving
    private let loop: HostedLoop
    private let take: () -> Void
    private let body: () -> Void
    private let end: (_ isCancelled: Bool) -> Bool

    init(
      _ loop: HostedLoop, taking take: @escaping () -> Void, _ body: @escaping () -> Void,
      _ end: @escaping (Bool) -> Bool
    ) {
      self.loop = loop
      self.take = take
      self.body = body
      self.end = end
      serving = Serving(loop.runs)
    }

    var task: LoopTask { serving.task }

    func cancel() { serving.cancel() }

    /// Waits for a run in a new turn, as a resumed task does.
    func goOn() {
      loop.tasks.run { [self] in
        serving.waitForRun { [self] end in
          expectUnlocked()
          if end == .reached { loop.tasks.run { self.goIntoRun() } } else { leave() }
        }
      }
    }

    private func goIntoRun() {
      guard !serving.isCancelled else { return leave() }
      switch loop.runs.begin(task, taking: take) {
      case .leave, .replaceTask: leave()
      case .wait: goOn()
      case .run:
        expect(!loop.isRunning, "L1: runs never overlap")
        loop.isRunning = true
        loop.count += 1
        step()
        body()
        loop.isRunning = false
        let wasRunCancelled = end(serving.isCancelled)
        if wasRunCancelled && replacesTask {
          replaceTask()
        } else if wasRunCancelled || serving.isCancelled {
          leave()
        } else {
          goOn()
        }
      }
    }

    private func replaceTask() {
      let next = Serving(loop.runs)
      loop.runs.replaceHost(task, by: next.task)
      serving = next
      goOn()
    }

    private func leave() {
      expect(!hasLeft, "L7: a host leaves once")
      hasLeft = true
      loop.runs.leave(task)
    }
  }

  /// Starts a host; returns nil if there is already a host, or if the loop has ended.
  ///
  /// - Parameters:
  ///   - take: Takes the input of a run, under the lock.
  ///   - body: The body of a run.
  ///   - end: Ends a run of a host that may be cancelled; returns whether the run was cancelled.
  func host(
    taking take: @escaping () -> Void = {}, _ body: @escaping () -> Void, _ end: ((Bool) -> Bool)? = nil
  ) -> Host? {
    let host = Host(self, taking: take, body, end ?? { [runs] in runs.end($0 ? .cancelled : .succeeded) })
    guard runs.host(host.task) else { return nil }
    host.goOn()
    return host
  }
}

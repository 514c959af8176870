internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops

/// The runs of a keyed loop. Their tasks are turns of a concurrent queue.
final class KeyedLoop<Key: Hashable & Sendable> {
  private(set) var counts: [Key: Int] = [:]
  /// The keys whose tasks were requested and have not begun.
  private var awaited: Set<Key> = []
  /// The keys whose runs are in progress.
  private var running: Set<Key> = []
  private var isStopped: Bool = false
  let keys: KeyedRefreshLoop<Key>

  var runs: KeyedRuns { keys.runs }

  init(
    _ policy: CoalescingPolicy, limit: Int, on queue: any EventScheduler = DispatchQueue(label: "queue"),
    _ body: @escaping (Key) -> Void
  ) {
    let tasks = DispatchQueue(label: "tasks", attributes: .concurrent)
    var loop: (() -> KeyedLoop?) = { nil }
    keys = KeyedRefreshLoop(on: queue, policy: policy, DiagnosticSubject(KeyedLoop.self), limit: limit) {
      runs, run, _ in
      expectUnlocked()
      let key = run.key(as: Key.self)
      loop()?.addTask(key)
      tasks.run {
        let wasStopped = loop()?.isStopped == true
        loop()?.awaited.remove(key)
        if case .run = runs.begin(run, LoopTask()) {
          expect(!wasStopped, "K5: nothing starts after a stop")
          if let loop = loop() { loop.take(key, limit) { body(key) } }
          runs.end(run, .succeeded)
        }
        // A request may come between the end of the run and the end of its task.
        step()
        runs.leave(run)
      }
    }
    loop = { [unowned self] in self }
  }

  private func addTask(_ key: Key) {
    expect(awaited.insert(key).inserted, "K4: a key has one task until its run begins")
  }

  private func take(_ key: Key, _ limit: Int, _ body: () -> Void) {
    expectUnlocked()
    expect(running.insert(key).inserted, "K4: runs of one key never overlap")
    expect(running.count <= limit, "K4: a limited number of keys run at the same time")
    counts[key, default: 0] += 1
    step()
    body()
    running.remove(key)
  }

  /// Calls a closure when the loop has settled, or immediately if it already has.
  func whenSettled(_ body: @escaping () -> Void) {
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let body = body
    runs.add(LoopWait(until: .settled)) { _ in
      expectUnlocked()
      body()
    }
  }

  func stop() {
    runs.stop()
    isStopped = true
  }

  /// Checks the state after all runs.
  func expectQuiet() {
    expect(runs.keys.pendingCount == 0 && running.isEmpty, "K5: a loop without requests settles")
    expect(keys.entryCount == 0, "K2: a key that is quiet has no entry")
  }
}

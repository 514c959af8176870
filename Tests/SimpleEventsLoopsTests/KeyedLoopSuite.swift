import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport

/// The common part of the suites of keyed loops on one scheduler.
protocol KeyedLoopSuite {
  var scheduler: TestScheduler { get }
  var misuses: MisuseLog { get }
}

extension KeyedLoopSuite {
  func loop(
    _ script: KeyedScript, _ policy: CoalescingPolicy = .nextTurn,
    whenBusy: RefreshLoop.WhenBusy = .rerun, retry: Backoff = .never, limit: Int = 4
  ) -> KeyedRefreshLoop<String> {
    KeyedRefreshLoop(
      on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry, maxConcurrentRuns: limit,
      misuse: misuses.handler
    ) {
      try await script.body($0)
    } onError: { _, _ in
    }
  }

  func hosted(_ policy: CoalescingPolicy = .nextTurn, retry: Backoff = .never)
    -> KeyedRefreshLoop<String>
  {
    KeyedRefreshLoop(on: scheduler, policy: policy, retry: retry, misuse: misuses.handler)
  }

  /// Starts a host. The host logs its end.
  @discardableResult func host(
    _ loop: KeyedRefreshLoop<String>, _ script: KeyedScript, limit: Int = 2, _ name: String = "left"
  ) -> Task<Void, Never> {
    Task(executorPreference: scheduler) {
      do {
        try await loop.run(maxConcurrentRuns: limit) { try await script.body($0) }
        script.add(name)
      } catch {
        script.add("\(name) by \(error)")
      }
    }
  }

  /// Starts a caller at an instant. The caller logs the instant and the kind of its answer.
  @discardableResult func call(
    _ loop: KeyedRefreshLoop<String>, _ key: String, at milliseconds: Int = 0, _ script: KeyedScript
  ) -> Caller {
    let name = "\(key) answer"
    return Caller(script.add, on: scheduler, at: milliseconds, answer: name, error: name) {
      try await loop.refresh(key)
    }
  }

  /// Waits in a task on the scheduler, and logs the end of the wait.
  func wait(
    at milliseconds: Int, _ script: KeyedScript, _ name: String,
    _ wait: @escaping @Sendable () async -> Void
  ) {
    scheduler.at(milliseconds) { [scheduler] in
      Task(executorPreference: scheduler) {
        await wait()
        script.add(name)
      }
    }
  }
}

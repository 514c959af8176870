internal import Dispatch
internal import SimpleEvents
internal import SimpleEventsLoops

/// Callers wait for the run that answers their requests.
enum RefreshAnswers {
  static var workloads: [Workload] { [many, one] }

  /// The tasks that wait. Their results are counted one at a time.
  private actor Callers {
    private var missing: Int = 0

    /// Starts tasks that wait, and returns when all of them wait.
    nonisolated func wait(_ count: Int, _ sink: Sink, for answer: @escaping @Sendable () async -> Void) {
      let areWaiting = DispatchSemaphore(value: 0)
      Task { await start(count, sink, areWaiting, answer) }
      areWaiting.wait()
    }

    private func start(
      _ count: Int, _ sink: Sink, _ areWaiting: DispatchSemaphore,
      _ answer: @escaping @Sendable () async -> Void
    ) {
      missing = count
      for _ in 0..<count { Task { await call(sink, areWaiting, answer) } }
    }

    private func call(
      _ sink: Sink, _ areWaiting: DispatchSemaphore, _ answer: @Sendable () async -> Void
    ) async {
      missing -= 1
      // The new task needs the actor, so it begins only when the last caller waits.
      if missing == 0 { Task { signal(areWaiting) } }
      await answer()
      sink.hit()
    }

    private func signal(_ semaphore: DispatchSemaphore) { semaphore.signal() }
  }

  /// A hand-written list of callers.
  private final class ContinuationList: Sendable {
    private let continuations: Guarded<[CheckedContinuation<Void, Never>]> = Guarded([])

    func add(_ continuation: CheckedContinuation<Void, Never>) {
      continuations.withLock { $0.append(continuation) }
    }

    func resumeAll() {
      for continuation in continuations.exchange([]) { continuation.resume() }
    }
  }

  /// A hand-written table of callers. Each caller can be cancelled while it waits.
  private final class CancellableCallers: Sendable {
    private struct State {
      var lastID: Int = 0
      var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state: Guarded<State> = Guarded(State())

    func wait(isolation: isolated (any Actor)? = #isolation) async throws {
      let id = state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
      try await withTaskCancellationHandler {
        // A closure that does not capture the actor does not run on the actor. The actor could then signal
        // before the last caller waits.
        _ = isolation
        try await withCheckedThrowingContinuation { continuation in
          let isCancelled = state.withLock { state in
            if !Task.isCancelled { state.continuations[id] = continuation }
            return Task.isCancelled
          }
          if isCancelled { continuation.resume(throwing: CancellationError()) }
        }
      } onCancel: {
        state.withLock { $0.continuations.removeValue(forKey: id) }?.resume(throwing: CancellationError())
      }
    }

    func resumeAll() {
      for continuation in state.exchange(State()).continuations.values { continuation.resume() }
    }
  }

  /// Many callers wait for a run. The time from the start of the run to the resumption of the last caller is
  /// measured.
  private static var many: Workload {
    let (byHand, cancellable) = ("continuations in a list", "cancellable continuations in a table")
    return Workload(
      "refresh-answer", unit: "caller", sizes: [1000, 10_000], mainSize: 1000, quickSize: 1000,
      baseline: cancellable, bars: [.ratio(1.4, to: cancellable)],
      subjects: [
        Subject("SimpleEvents RefreshLoop") { fixture in
          let loop = RefreshLoop(on: fixture.scheduler(fixture.queue()))
          let callers = Callers()
          callers.wait(fixture.n, fixture.sink) { try? await loop.refresh() }
          return trial(fixture) {
            Task.detached { await loop.run {} }
          } settle: {
            loop.close()
          }
        },
        Subject(byHand) { fixture in
          let list = ContinuationList()
          let callers = Callers()
          callers.wait(fixture.n, fixture.sink) {
            await withCheckedContinuation { list.add($0) }
          }
          return trial(fixture) {
            Task.detached { list.resumeAll() }
          }
        },
        Subject(cancellable) { fixture in
          let table = CancellableCallers()
          let callers = Callers()
          callers.wait(fixture.n, fixture.sink) { try? await table.wait() }
          return trial(fixture) {
            Task.detached { table.resumeAll() }
          }
        },
      ])
  }

  /// The time from a request to the resumption of the caller that gets the answer.
  private static var one: Workload {
    let byHand = "request and settle"
    return Workload(
      "refresh-answer-one", unit: "run", sizes: [1], quickSize: 1, alternates: true, baseline: byHand,
      bars: [.ratio(1.1, to: byHand)],
      subjects: [
        Subject("SimpleEvents RefreshLoop") { fixture in
          let (loop, sink) = (RefreshLoop(on: fixture.scheduler(fixture.queue())) {}, fixture.sink)
          return roundTrip(fixture) {
            try? await loop.refresh()
            sink.hitAndSignal()
          }
        },
        Subject(byHand) { fixture in
          let (loop, sink) = (RefreshLoop(on: fixture.scheduler(fixture.queue())) {}, fixture.sink)
          return roundTrip(fixture) {
            loop.request()
            await loop.settle()
            sink.hitAndSignal()
          }
        },
      ])
  }

  private static func trial(
    _ fixture: Fixture, _ start: @escaping @Sendable () -> Void, settle: @escaping () -> Void = {}
  ) -> Trial {
    let (sink, n) = (fixture.sink, fixture.n)
    sink.target = sink.count + n
    return Trial(operations: n, isRepeatable: false, deliveries: { runs, _ in n...n }, settle: settle) {
      start()
      sink.wait()
    }
  }

  private static func roundTrip(_ fixture: Fixture, _ call: @escaping @Sendable () async -> Void) -> Trial {
    Trial(operations: 1, deliveries: { runs, _ in runs...runs }) {
      Task { await call() }
      fixture.sink.wait()
    }
  }
}

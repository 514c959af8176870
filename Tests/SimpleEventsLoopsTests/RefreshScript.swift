import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport

/// The body of a refresh loop. Each run takes the time that the script gives. The script records the runs.
final class RefreshScript: Sendable {
  /// The duration and outcome of one run.
  struct Run: Sendable {
    var microseconds: Int
    /// Whether the run ends with a `CancellationError` when it is cancelled.
    var heedsCancellation: Bool = true
    var fails: Bool = false

    /// A run of a number of milliseconds.
    static func ms(_ milliseconds: Int) -> Run { Run(microseconds: 1000 * milliseconds) }

    /// A run that continues when it is cancelled.
    static func stubborn(_ milliseconds: Int) -> Run {
      Run(microseconds: 1000 * milliseconds, heedsCancellation: false)
    }

    static func failing(_ milliseconds: Int) -> Run {
      Run(microseconds: 1000 * milliseconds, fails: true)
    }
  }

  /// Returns runs of random lengths and outcomes.
  ///
  /// The last run succeeds, because it is repeated: an error would be retried forever.
  static func randomRuns(_ random: inout SeededGenerator) -> [Run] {
    let runs = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      Run(
        microseconds: Int.random(in: 0...20, using: &random) * 1000 + 1,
        heedsCancellation: Int.random(in: 0..<3, using: &random) > 0,
        fails: Int.random(in: 0..<4, using: &random) == 0)
    }
    return runs + [Run(microseconds: 3001)]
  }

  struct Failure: Error {}

  private struct State {
    var count: Int = 0
    var isRunning: Bool = false
    var overlaps: Int = 0
    var entries: [String] = []
  }

  private let scheduler: TestScheduler
  private let runs: [Run]
  private let state: Guarded<State> = Guarded(State())

  /// - Parameter runs: The runs, in order. The last run is repeated.
  init(_ scheduler: TestScheduler, _ runs: [Run]) {
    self.scheduler = scheduler
    self.runs = runs
  }

  /// The starts, ends and errors with their instants, in milliseconds and microseconds.
  var entries: [String] { state.withLock { $0.entries } }
  var overlaps: Int { state.withLock { $0.overlaps } }
  /// The number of runs that have started.
  var count: Int { state.withLock { $0.count } }
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// - Parameter name: The entry that is recorded at the start of the run.
  func body(_ name: String = "start") async throws {
    let run = state.withLock { state in
      state.overlaps += state.isRunning ? 1 : 0
      state.isRunning = true
      state.count += 1
      return runs[min(state.count, runs.count) - 1]
    }
    add(name)
    defer { state.withLock { $0.isRunning = false } }
    let end = scheduler.now.advanced(by: .microseconds(run.microseconds))
    if run.heedsCancellation {
      do {
        try await scheduler.clock.sleep(until: end)
      } catch {
        add("cancelled")
        throw error
      }
    } else {
      await withCheckedContinuation { continuation in
        scheduler.schedule(at: end) { continuation.resume() }
      }
    }
    add(run.fails ? "fail" : "end")
    if run.fails { throw Failure() }
  }

  /// Returns a loop whose runs the script describes. A failed run is recorded with its error.
  func makeLoop(
    _ policy: CoalescingPolicy, whenBusy: RefreshLoop.WhenBusy, retry: Backoff, misuse: MisuseHandler
  ) -> RefreshLoop {
    RefreshLoop(on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry, misuse: misuse) {
      try await self.body()
    } onError: { _ in
    }
  }

  /// The body of a batch loop. The entry at the start of a run contains the batch.
  func body(_ batch: ElementBatch<Int>) async throws { try await body(Self.format(batch)) }

  /// Returns the elements, and the number of dropped elements if there are any.
  static func format(_ batch: ElementBatch<Int>) -> String {
    "\(Array(batch))" + (batch.droppedCount == 0 ? "" : "-\(batch.droppedCount)")
  }

  func add(_ entry: String) {
    let instant = Self.format(Int(scheduler.now.nanoseconds / 1000))
    state.withLock { $0.entries.append("\(entry) \(instant)") }
  }

  /// Returns the milliseconds, and the microseconds if there are any.
  static func format(_ microseconds: Int) -> String {
    let rest = microseconds % 1000
    return "\(microseconds / 1000)" + (rest == 0 ? "" : "+\(rest)")
  }
}

import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport

/// The body of a keyed loop. Its runs take the times that a script gives for each key. It records all runs.
final class KeyedScript: Sendable {
  private struct State {
    var entries: [String] = []
    var scripts: [String: RefreshScript] = [:]
    var running: Int = 0
    var largest: Int = 0
  }

  let scheduler: TestScheduler
  private let runs: [String: [RefreshScript.Run]]
  private let state: Guarded<State> = Guarded(State())

  /// - Parameter runs: The runs of each key, in order. The last run is repeated. Other keys have runs of a
  ///   millisecond.
  init(_ scheduler: TestScheduler, _ runs: [String: [RefreshScript.Run]] = [:]) {
    self.scheduler = scheduler
    self.runs = runs
  }

  /// The starts and ends of all runs, each with its key and its instant in milliseconds.
  var entries: [String] { state.withLock { $0.entries } }
  /// The starts of all runs, in order.
  var starts: [String] { entries.filter { $0.contains(" start") } }
  /// The largest number of runs that were in progress at the same time.
  var largest: Int { state.withLock { $0.largest } }
  var overlaps: Int { state.withLock { $0.scripts.values.reduce(0) { $0 + $1.overlaps } } }

  /// Returns the script of one key.
  func script(_ key: String) -> RefreshScript {
    state.withLock { state in
      if let script = state.scripts[key] { return script }
      let script = RefreshScript(scheduler, runs[key] ?? [.ms(1)])
      state.scripts[key] = script
      return script
    }
  }

  func body(_ key: String) async throws {
    let script = script(key)
    state.withLock { state in
      state.running += 1
      state.largest = max(state.largest, state.running)
    }
    add("\(key) start")
    defer { state.withLock { $0.running -= 1 } }
    do {
      try await script.body()
    } catch {
      add("\(key) \(error is CancellationError ? "cancelled" : "fail")")
      throw error
    }
    add("\(key) end")
  }

  func add(_ entry: String) {
    let instant = RefreshScript.format(Int(scheduler.now.nanoseconds / 1000))
    state.withLock { $0.entries.append("\(entry) \(instant)") }
  }
}

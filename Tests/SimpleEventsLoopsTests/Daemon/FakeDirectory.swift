import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport

/// A directory in memory. A scan of it takes virtual time, and sometimes fails.
final class FakeDirectory: IndexedDirectory {
  struct ScanError: Error {}

  private struct State {
    var files: [String: Int] = [:]
    var random: SeededGenerator
    var starts: [EventInstant] = []
  }

  private let scheduler: TestScheduler
  private let state: Guarded<State>

  init(on scheduler: TestScheduler, seed: UInt64) {
    self.scheduler = scheduler
    state = Guarded(State(random: SeededGenerator(seed: seed)))
  }

  var files: [String: Int] { state.withLock { $0.files } }

  /// The instants at which scans have started, in milliseconds.
  var starts: [Int] { state.withLock { $0.starts.map(\.milliseconds) } }

  func touch(_ name: String) { state.withLock { $0.files[name, default: 0] += 1 } }

  func scan() async throws -> [String: Int] {
    let now = scheduler.now
    // The files at the beginning of the scan. Changes during the scan are not part of its result.
    let (files, milliseconds, fails) = state.withLock { state in
      state.starts.append(now)
      let milliseconds = Int.random(in: 0...60, using: &state.random)
      return (state.files, milliseconds, Int.random(in: 0..<6, using: &state.random) == 0)
    }
    try await scheduler.clock.sleep(for: .milliseconds(milliseconds))
    if fails { throw ScanError() }
    return files
  }
}

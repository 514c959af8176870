internal import Dispatch
internal import SimpleEvents
internal import SimpleEventsLoops

/// A data loader. Many tasks look up one key after another, and the keys are loaded in batches.
enum Loaders {
  static var workloads: [Workload] { [loader] }

  private static let callers: Int = 10_000

  /// A hand-written loader, in which each key has a list of continuations.
  private final class LoaderByHand: Sendable {
    private struct State {
      var waiting: [Int: [CheckedContinuation<Int, Never>]] = [:]
      var isLoading: Bool = false
    }

    private let state: Guarded<State> = Guarded(State())

    func load(_ key: Int) async -> Int {
      await withCheckedContinuation { continuation in
        let starts = state.withLock { state in
          state.waiting[key, default: []].append(continuation)
          defer { state.isLoading = true }
          return !state.isLoading
        }
        if starts { Task { await loadAll() } }
      }
    }

    private func loadAll() async {
      while true {
        let batch = state.withLock { state in
          defer { state.waiting = [:] }
          state.isLoading = !state.waiting.isEmpty
          return state.waiting
        }
        guard !batch.isEmpty else { return }
        for (key, continuations) in batch {
          for continuation in continuations { continuation.resume(returning: -key) }
        }
      }
    }
  }

  private static var loader: Workload {
    let byHand = "continuations in a dictionary"
    return Workload(
      "loader", unit: "key", sizes: [100_000], quickSize: 10_000, baseline: byHand,
      bars: [.ratio(2.5, to: byHand)],
      subjects: [
        Subject("SimpleEvents BatchLoop, distinct") { fixture in
          let values: Guarded<[Int: Int]> = Guarded([:])
          let loads = BatchLoop<Int>(on: fixture.scheduler(fixture.queue()), keeping: .distinct(fixture.n)) {
            keys in
            let loaded = Dictionary(uniqueKeysWithValues: keys.lazy.map { ($0, -$0) })
            values.withLock { $0.merge(loaded) { $1 } }
          }
          return trial(fixture) { key in
            try? await loads.process(key)
            return values.withLock { $0.removeValue(forKey: key) } ?? 0
          }
        },
        Subject(byHand) { fixture in
          let loader = LoaderByHand()
          return trial(fixture) { await loader.load($0) }
        },
      ])
  }

  private static func trial(_ fixture: Fixture, _ load: @escaping @Sendable (Int) async -> Int) -> Trial {
    let (sink, n) = (fixture.sink, fixture.n)
    return Trial(operations: n, deliveries: { runs, _ in runs...runs }) {
      Task {
        let sum = await withTaskGroup { group in
          for caller in 0..<callers {
            group.addTask {
              var sum = 0
              for key in stride(from: caller, to: n, by: callers) { sum += await load(key) }
              return sum
            }
          }
          return await group.reduce(0, +)
        }
        sink.swallow(sum)
        sink.hitAndSignal()
      }
      sink.wait()
    }
  }
}

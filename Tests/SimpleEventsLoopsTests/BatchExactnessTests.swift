import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L9: every element is saved once and in order, even if runs fail at random and hosts are cancelled.
struct BatchExactnessTests {
  /// A random program: producers, the outcomes of the runs, and the times after which hosts are cancelled.
  private struct Program: Sendable {
    let policy: CoalescingPolicy
    /// The pauses of each producer before its elements, in milliseconds.
    let pauses: [[Int]]
    /// The duration of each run in milliseconds, and whether the run fails.
    let runs: [(duration: Int, fails: Bool)]
    let retry: Int
    /// The times after which hosts are cancelled, in milliseconds.
    let stays: [Int]

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      policy =
        Policies.all.filter { $0.edges.contains(.trailing) }.randomElement(using: &random)!
      pauses = (0..<3).map { _ in
        (0..<Int.random(in: 0...8, using: &random)).map { _ in Int.random(in: 0...12, using: &random) }
      }
      runs = (0..<20).map { _ in
        (Int.random(in: 0...15, using: &random), Int.random(in: 0..<2, using: &random) == 0)
      }
      retry = Int.random(in: 0...20, using: &random)
      stays = (0..<6).map { _ in Int.random(in: 0...30, using: &random) }
    }

    var elements: [Int] {
      pauses.enumerated().flatMap { producer, pauses in pauses.indices.map { producer * 100 + $0 } }
    }
  }

  /// Records the elements that were saved, and the elements whose last attempt has failed.
  private final class Store: Sendable {
    private struct State {
      var count: Int = 0
      var isSaving: Bool = false
      var overlaps: Int = 0
      var saved: [Int] = []
      var over: [Int] = []
    }

    struct Failure: Error {}

    private let program: Program
    private let clock: SchedulerClock
    private let state: Guarded<State> = Guarded(State())

    init(_ program: Program, _ clock: SchedulerClock) {
      self.program = program
      self.clock = clock
    }

    var saved: [Int] { state.withLock { $0.saved } }
    var over: [Int] { state.withLock { $0.over } }
    var overlaps: Int { state.withLock { $0.overlaps } }

    func save(_ batch: ElementBatch<Int>) async throws {
      let run = state.withLock { state in
        state.overlaps += state.isSaving ? 1 : 0
        state.isSaving = true
        defer { state.count += 1 }
        return state.count < program.runs.count ? program.runs[state.count] : (1, false)
      }
      defer { state.withLock { $0.isSaving = false } }
      try await clock.sleep(for: .milliseconds(run.0))
      if run.1 { throw Failure() }
      state.withLock { $0.saved += batch }
    }

    func giveUp(_ batch: ElementBatch<Int>) { state.withLock { $0.over += batch } }
  }

  private func produce(_ program: Program, _ clock: SchedulerClock, _ loop: BatchLoop<Int>) async {
    await withTaskGroup(of: Void.self) { group in
      for (producer, pauses) in program.pauses.enumerated() {
        group.addTask {
          for (number, pause) in pauses.enumerated() {
            try? await clock.sleep(for: .milliseconds(pause))
            loop.add(producer * 100 + number)
          }
        }
      }
    }
  }

  private func owned(_ program: Program) throws -> Store {
    let scheduler = TestScheduler()
    let store = Store(program, scheduler.clock)
    try scheduler.run {
      let isLast = Flag()
      let loop = BatchLoop<Int>(
        on: scheduler, policy: program.policy, keeping: .unlimited,
        retry: .constant(.milliseconds(program.retry))
      ) {
        try await store.save($0)
      } onError: { _, batch in
        if isLast.isSet { store.giveUp(batch) }
      }
      await produce(program, scheduler.clock, loop)
      await loop.settle()
      loop.add(900)
      isLast.set()
      await loop.finish()
      #expect(!loop.isPending)
    }
    #expect(scheduler.pendingCount == 0)
    return store
  }

  private func hosted(_ program: Program) throws -> Store {
    let scheduler = TestScheduler()
    let store = Store(program, scheduler.clock)
    try scheduler.run {
      let loop = BatchLoop<Int>(on: scheduler, policy: program.policy, keeping: .unlimited)
      let hosting = Task {
        for stay in program.stays {
          let host = Task { try await loop.run { try await store.save($0) } }
          try? await scheduler.clock.sleep(for: .milliseconds(stay))
          host.cancel()
          _ = await host.result
        }
      }
      await produce(program, scheduler.clock, loop)
      await hosting.value
      loop.add(900)
      // A host that throws returns its batch to the loop.
      while loop.isPending {
        let host = Task { try await loop.run { try await store.save($0) } }
        try? await scheduler.clock.sleep(for: .milliseconds(100))
        host.cancel()
        _ = await host.result
      }
    }
    #expect(scheduler.pendingCount == 0)
    return store
  }

  @Test("L9: an owned loop saves each element once, in order, with random failures")
  func owned() throws {
    for seed in Stress.seeds(2000) {
      let program = Program(seed: seed)
      let store = try owned(program)
      check(store.saved + store.over, program, seed, store)
      // Only the last run, with the element 900, is not retried when it fails.
      #expect(store.over.isEmpty || store.over == [900], "seed \(seed)")
    }
  }

  @Test("L9: hosts that fail and are cancelled save each element once, in order")
  func hosted() throws {
    for seed in Stress.seeds(2000) {
      let program = Program(seed: seed)
      let store = try hosted(program)
      check(store.saved, program, seed, store)
    }
  }

  private func check(_ saved: [Int], _ program: Program, _ seed: UInt64, _ store: Store) {
    #expect(saved.sorted() == program.elements + [900], "seed \(seed): \(saved)")
    for producer in program.pauses.indices {
      let own = saved.filter { $0 / 100 == producer }
      #expect(own == own.sorted(), "seed \(seed): \(saved)")
    }
    #expect(saved.last == 900 && store.overlaps == 0, "seed \(seed): \(saved)")
  }
}

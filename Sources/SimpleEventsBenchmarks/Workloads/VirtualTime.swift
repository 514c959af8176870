internal import Dispatch
internal import SimpleEvents
internal import SimpleEventsTesting
internal import TestSupport

/// Work and asynchronous code on a test scheduler.
enum VirtualTime {
  static var workloads: [Workload] { [entries, runs, sleeps, sleepers] }

  /// Work is scheduled at random deadlines and then run.
  private static var entries: Workload {
    Workload(
      "virtual-time-entry", unit: "entry", sizes: [10_000, 100_000, 1_000_000], mainSize: 1_000_000,
      quickSize: 10_000, bars: [.ratio(1, to: Baseline.sortedClosures)],
      subjects: [
        Subject("SimpleEvents TestScheduler") { fixture in
          let sink = fixture.sink
          let scheduler = TestScheduler()
          let delays = delays(fixture.n)
          return Trial(operations: fixture.n, deliveries: { runs, _ in runs * fixture.n...runs * fixture.n })
          {
            let now = scheduler.now
            for delay in delays {
              _ = scheduler.schedule(at: now.advanced(by: .nanoseconds(delay))) { sink.hit() }
            }
            scheduler.run(limit: .max)
          }
        },
        Subject(Baseline.sortedClosures) { fixture in
          let sink = fixture.sink
          let delays = delays(fixture.n)
          return Trial(operations: fixture.n, deliveries: { runs, _ in runs * fixture.n...runs * fixture.n })
          {
            var entries: [(deadline: Int64, work: () -> Void)] = []
            for delay in delays {
              entries.append((delay, { sink.hit() }))
            }
            entries.sort { $0.deadline < $1.deadline }
            for entry in entries {
              entry.work()
            }
          }
        },
      ])
  }

  /// Asynchronous bodies run to their end.
  private static var runs: Workload {
    Workload(
      "virtual-time-run", unit: "run", sizes: [1_000, 10_000], mainSize: 10_000, quickSize: 1_000,
      bars: [.ratio(1, to: Baseline.awaitedTask)],
      subjects: [
        Subject("SimpleEvents TestScheduler.run") { fixture in
          let (n, sink) = (fixture.n, fixture.sink)
          let scheduler = TestScheduler()
          return Trial(operations: n, deliveries: { runs, _ in runs * n...runs * n }) {
            for _ in 0..<n {
              try? scheduler.run { sink.hit() }
            }
          }
        },
        Subject(Baseline.awaitedTask) { fixture in
          let (n, sink) = (fixture.n, fixture.sink)
          return Trial(operations: n, deliveries: { runs, _ in runs * n...runs * n }) {
            let done = DispatchSemaphore(value: 0)
            Task.detached {
              for _ in 0..<n {
                await Task { sink.hit() }.value
              }
              done.signal()
            }
            done.wait()
          }
        },
      ])
  }

  /// A task sleeps in virtual time several times in a row.
  private static var sleeps: Workload {
    Workload(
      "virtual-time-sleep", unit: "sleep", sizes: [1_000, 10_000], mainSize: 10_000, quickSize: 1_000,
      subjects: [
        Subject("SimpleEvents SchedulerClock") { fixture in
          let (n, sink) = (fixture.n, fixture.sink)
          let scheduler = TestScheduler()
          return Trial(operations: n, deliveries: { runs, _ in runs * n...runs * n }) {
            try? scheduler.run(limit: .max) {
              for _ in 0..<n {
                try await scheduler.clock.sleep(for: .milliseconds(1))
                sink.hit()
              }
            }
          }
        }
      ])
  }

  /// Many tasks sleep in virtual time until random deadlines.
  ///
  /// A task takes longer beside many others, whether it sleeps or not. The bar therefore compares the growth
  /// with the growth of tasks that wait without a clock.
  private static var sleepers: Workload {
    Workload(
      "virtual-time-sleepers", unit: "sleeper", sizes: [1_000, 10_000, 100_000], mainSize: 100_000,
      quickSize: 1_000, bars: [.growth(1, from: 1_000, comparedWith: Baseline.sortedTasks)],
      subjects: [
        Subject("SimpleEvents SchedulerClock") { fixture in
          let (n, sink) = (fixture.n, fixture.sink)
          let scheduler = TestScheduler()
          let delays = delays(n)
          return Trial(operations: n, deliveries: { runs, _ in runs * n...runs * n }) {
            try? scheduler.run(limit: .max) {
              // NB: this is not a task group, because a task group searches its list of children when a child
              // ends.
              let tasks = delays.map { delay in
                Task {
                  try? await scheduler.clock.sleep(for: .nanoseconds(delay))
                  sink.hit()
                }
              }
              for task in tasks { await task.value }
            }
          }
        },
        Subject(Baseline.sortedTasks) { fixture in
          let (n, sink) = (fixture.n, fixture.sink)
          let delays = delays(n)
          return Trial(operations: n, deliveries: { runs, _ in runs * n...runs * n }) {
            let done = DispatchSemaphore(value: 0)
            Task.detached {
              await SortedTasks().run(delays, sink)
              done.signal()
            }
            done.wait()
          }
        },
      ])
  }

  /// Tasks that wait without a clock, and are resumed in the order of their deadlines.
  private actor SortedTasks {
    private var waiting: [(deadline: Int64, continuation: CheckedContinuation<Void, Never>)] = []

    func run(_ delays: [Int64], _ sink: Sink) async {
      let tasks = delays.map { delay in
        Task {
          await wait(until: delay)
          sink.hit()
        }
      }
      while waiting.count < delays.count { await Task.yield() }
      waiting.sort { $0.deadline < $1.deadline }
      for waiter in waiting { waiter.continuation.resume() }
      for task in tasks { await task.value }
    }

    private func wait(until deadline: Int64) async {
      await withCheckedContinuation { waiting.append((deadline, $0)) }
    }
  }

  private static func delays(_ n: Int) -> [Int64] {
    var random = SeededGenerator(seed: 11)
    return (0..<n).map { _ in Int64.random(in: 0..<1_000_000_000_000, using: &random) }
  }
}

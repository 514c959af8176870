internal import SimpleEvents
internal import SimpleEventsTesting

/// Work that is scheduled at random deadlines on a test scheduler and then run.
enum VirtualTime {
  static var workloads: [Workload] { [entries] }

  private static var entries: Workload {
    Workload(
      "virtual-time-entry", unit: "entry", sizes: [10_000, 100_000, 1_000_000], mainSize: 1_000_000,
      quickSize: 10_000, bars: [.ratio(1, to: Baseline.sortedClosures)],
      subjects: [
        Subject("SimpleEvents TestScheduler") { stage in
          let sink = stage.sink
          let scheduler = TestScheduler()
          let delays = delays(stage.n)
          return Trial(operations: stage.n, deliveries: { runs, _ in runs * stage.n...runs * stage.n }) {
            let now = scheduler.now
            for delay in delays {
              _ = scheduler.schedule(at: now.advanced(by: .nanoseconds(delay))) { sink.hit() }
            }
            scheduler.run(limit: .max)
          }
        },
        Subject(Baseline.sortedClosures) { stage in
          let sink = stage.sink
          let delays = delays(stage.n)
          return Trial(operations: stage.n, deliveries: { runs, _ in runs * stage.n...runs * stage.n }) {
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

  private static func delays(_ n: Int) -> [Int64] {
    var random = Random(seed: 11)
    return (0..<n).map { _ in Int64.random(in: 0..<1_000_000_000_000, using: &random) }
  }
}

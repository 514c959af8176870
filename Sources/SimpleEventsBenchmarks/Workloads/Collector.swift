internal import Dispatch
internal import SimpleEvents

/// An element added to a full collector while a delivery is pending.
enum Collector {
  static var workloads: [Workload] { [collector] }

  static let limit: Int = 1000

  private static var collector: Workload {
    Workload(
      "collector", unit: "element", sizes: [10_000, 100_000], mainSize: 100_000, quickSize: 10_000,
      baseline: Baseline.lockedArray,
      bars: [
        .ratio(2, to: Baseline.lockedArray), .count(.deliveries, atMost: 1),
        // The meter is inexact by kilobytes. Kept elements would add 800,000 bytes.
        .count(.heapBytesGrown, atMost: 4096),
      ],
      subjects: [
        Subject("SimpleEvents CoalescingCollector, newest") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let collector = CoalescingCollector<Int>(on: fixture.scheduler(queue), keeping: .newest(limit)) {
            sink.take($0.count)
          }
          return trial(fixture, queue, keeping: collector) { collector.add($0) }
        },
        Subject(Baseline.lockedArray) { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let collector = LockedCollector(queue, limit: limit) { sink.take($0.count) }
          return trial(fixture, queue, keeping: collector) { collector.add($0) }
        },
      ])
  }

  /// A trial on a busy queue, with a collector or a batch loop that is full before the first run.
  static func trial(
    _ fixture: Fixture, _ queue: DispatchQueue, keeping collector: AnyObject, _ add: @escaping (Int) -> Void,
    finish: @escaping () -> Void = {}
  ) -> Trial {
    let trial = Trial.pending(
      fixture, queue, keeping: collector,
      run: {
        for element in 0..<fixture.n {
          add(element)
        }
      }, finish: finish)
    for element in 0..<2 * limit {
      add(element)
    }
    return trial
  }
}

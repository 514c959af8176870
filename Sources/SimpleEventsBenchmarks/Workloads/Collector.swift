internal import Dispatch
internal import SimpleEvents

/// An element is added to a full collector while a delivery is pending.
enum Collector {
  static var workloads: [Workload] { [oneThread, threads] }

  static let limit: Int = 1000

  private static var oneThread: Workload {
    Workload(
      "collector", unit: "element", sizes: [10_000, 100_000], mainSize: 100_000, quickSize: 10_000,
      baseline: Baseline.lockedArray,
      bars: [
        .ratio(1.3, to: Baseline.lockedArray), .count(.deliveries, atMost: 1),
        // The meter is inexact by a few kilobytes. If all elements were kept, they would add 800,000 bytes.
        .count(.heapBytesGrown, atMost: 4096),
      ],
      subjects: subjects { fixture in (1, fixture.n) })
  }

  /// Several threads add elements at the same time. The size is the number of threads.
  ///
  /// The result is the total time divided by the number of elements that all threads add.
  private static var threads: Workload {
    Workload(
      "collector-threads", unit: "element", sizes: [2, 4], quickSize: 2, growsWithSize: true,
      parallelism: .size, baseline: Baseline.lockedArray,
      bars: [
        .ratio(1.5, to: Baseline.lockedArray), .ratio(1.5, to: Baseline.lockedArray, at: 4),
        .count(.deliveries, atMost: 1),
      ],
      subjects: subjects { fixture in (fixture.n, 100_000) })
  }

  /// - Parameter load: Returns the number of threads, and the number of elements that they add.
  private static func subjects(_ load: @escaping (Fixture) -> (threads: Int, elements: Int)) -> [Subject] {
    [
      Subject("SimpleEvents CoalescingCollector, newest") { fixture in
        let queue = fixture.queue()
        let sink = fixture.sink
        let collector = CoalescingCollector<Int>(on: fixture.scheduler(queue), keeping: .newest(limit)) {
          sink.take($0.count)
        }
        return trial(fixture, queue, load(fixture), keeping: collector) { collector.add($0) }
      },
      Subject(Baseline.lockedArray) { fixture in
        let queue = fixture.queue()
        let sink = fixture.sink
        let collector = LockedCollector(queue, limit: limit) { sink.take($0.count) }
        return trial(fixture, queue, load(fixture), keeping: collector) { collector.add($0) }
      },
    ]
  }

  /// A trial on a busy queue, with a collector or a batch loop that is full before the first run.
  ///
  /// - Parameter load: The number of threads, and the number of elements that they add. By default, one
  ///   thread adds as many elements as the fixture's size.
  static func trial(
    _ fixture: Fixture, _ queue: DispatchQueue, _ load: (threads: Int, elements: Int)? = nil,
    keeping collector: AnyObject, _ add: @escaping @Sendable (Int) -> Void,
    finish: @escaping () -> Void = {}
  ) -> Trial {
    let load = load ?? (1, fixture.n)
    let trial = Trial.pending(
      fixture, queue, operations: load.elements, keeping: collector,
      run: {
        Threads.share(load.elements, among: load.threads, add)
      }, finish: finish)
    for element in 0..<2 * limit {
      add(element)
    }
    return trial
  }
}

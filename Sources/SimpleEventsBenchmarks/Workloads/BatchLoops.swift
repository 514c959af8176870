internal import Dispatch
internal import SimpleEvents

/// An element added to a full batch loop while a run is pending.
enum BatchLoops {
  static var workloads: [Workload] { [batchLoop] }

  private static let limit: Int = 1000
  private static let collector: String = "SimpleEvents CoalescingCollector, newest"

  private static var batchLoop: Workload {
    Workload(
      "batch-loop", unit: "element", sizes: [10_000, 100_000], mainSize: 100_000, quickSize: 10_000,
      baseline: collector,
      bars: [
        .ratio(1.2, to: collector), .count(.deliveries, atMost: 1),
        // The meter is inexact by kilobytes. Kept elements would add 800,000 bytes.
        .count(.heapBytesGrown, atMost: 4096),
      ],
      subjects: [
        Subject("SimpleEvents BatchLoop, newest") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          // Elements wait while there is no host. A loop with a body would run meanwhile.
          let loop = BatchLoop<Int>(on: fixture.scheduler(queue), keeping: .newest(limit))
          for element in 0..<2 * limit { loop.add(element) }
          return .pending(fixture, queue, keeping: loop) {
            for element in 0..<fixture.n { loop.add(element) }
          } finish: {
            Task {
              // Without a host, this leaves the last run to the one that comes.
              await loop.finish()
              await loop.run { sink.take($0.count) }
            }
          }
        },
        Subject(collector) { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let collector = CoalescingCollector<Int>(on: fixture.scheduler(queue), keeping: .newest(limit)) {
            sink.take($0.count)
          }
          for element in 0..<2 * limit { collector.add(element) }
          return .pending(fixture, queue, keeping: collector) {
            for element in 0..<fixture.n { collector.add(element) }
          }
        },
      ])
  }
}

internal import Dispatch
internal import SimpleEvents
internal import SimpleEventsLoops

/// An element is added to a full batch loop while a run is pending.
enum BatchLoops {
  static var workloads: [Workload] { [batchLoop] }

  private static let collector: String = "SimpleEvents CoalescingCollector, newest"

  private static var batchLoop: Workload {
    Workload(
      "batch-loop", unit: "element", sizes: [10_000, 100_000], mainSize: 100_000, quickSize: 10_000,
      baseline: collector,
      bars: [
        .ratio(1.2, to: collector), .count(.deliveries, atMost: 1),
        // The meter is inexact by a few kilobytes. If elements were kept, they would add 800,000 bytes.
        .count(.heapBytesGrown, atMost: 4096),
      ],
      subjects: [
        Subject("SimpleEvents BatchLoop, newest") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          // The loop has no host, so elements wait. A loop with a body would run in the meantime.
          let loop = BatchLoop<Int>(on: fixture.scheduler(queue), keeping: .newest(Collector.limit))
          return Collector.trial(fixture, queue, keeping: loop) {
            loop.add($0)
          } finish: {
            Task {
              // Without a host, this call leaves the last run to the next host.
              await loop.finish()
              await loop.run { sink.take($0.count) }
            }
          }
        },
        Subject(collector) { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let collector = CoalescingCollector<Int>(
            on: fixture.scheduler(queue), keeping: .newest(Collector.limit)
          ) {
            sink.take($0.count)
          }
          return Collector.trial(fixture, queue, keeping: collector) { collector.add($0) }
        },
      ])
  }
}

internal import Dispatch
internal import SimpleEvents
internal import SimpleEventsLoops

/// An element is added to a full batch loop while a run is pending.
enum BatchLoops {
  static var workloads: [Workload] { [batchLoop, whole] }

  private static let collector: String = "SimpleEvents CoalescingCollector, newest"

  private static var batchLoop: Workload {
    Workload(
      "batch-loop", unit: "element", sizes: [10_000, 100_000], mainSize: 100_000, quickSize: 10_000,
      baseline: collector,
      bars: [
        .ratio(1.4, to: collector), .count(.deliveries, atMost: 1),
        // The meter is inexact by a few kilobytes. If all elements were kept, they would add 800,000 bytes.
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

  /// Elements are added, and the bodies of the runs receive them.
  private static var whole: Workload {
    let chunk = 1000
    return Workload(
      "batch-loop-whole", unit: "element", sizes: [10_000_000], quickSize: 10_000, repetitions: 7,
      baseline: Baseline.streamOfChunks,
      bars: [.ratio(0.1, to: Baseline.streamOfChunks)],
      subjects: [
        Subject("SimpleEvents BatchLoop, unlimited") { fixture in
          let sink = fixture.sink
          let loop = BatchLoop<Int>(on: fixture.scheduler(fixture.queue()), keeping: .unlimited) {
            save($0, sink)
          }
          return trial(fixture, keeping: loop) { loop.add($0) }
        },
        Subject("SimpleEvents BatchLoop, batches of a thousand", divisor: 100) { fixture in
          let sink = fixture.sink
          let loop = BatchLoop<Int>(
            on: fixture.scheduler(fixture.queue()), keeping: .unlimited, batchSize: chunk
          ) { save($0, sink) }
          return trial(fixture, keeping: loop) { loop.add($0) }
        },
        Subject(Baseline.streamOfChunks, divisor: 100) { fixture in
          let (n, sink) = (fixture.n, fixture.sink)
          let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
          Task.detached {
            var elements: [Int] = []
            for await element in stream {
              elements.append(element)
              // The last chunk of a run may be smaller.
              guard elements.count == chunk || element == n - 1 else { continue }
              save(elements, sink)
              elements.removeAll(keepingCapacity: true)
            }
          }
          let end = OnRelease { continuation.finish() }
          return trial(fixture, keeping: end) { continuation.yield($0) }
        },
      ])
  }

  private static func save(_ elements: some Collection<Int>, _ sink: Sink) {
    for element in elements { sink.swallow(element) }
    sink.add(elements.count)
  }

  /// A trial that waits until all elements are saved.
  private static func trial(_ fixture: Fixture, keeping: AnyObject, _ add: @escaping (Int) -> Void) -> Trial {
    let (n, sink) = (fixture.n, fixture.sink)
    return Trial(
      operations: n, isRepeatable: false, deliveries: { _, _ in n...n },
      settle: { withExtendedLifetime(keeping) {} }
    ) {
      sink.target = sink.count + n
      for element in 0..<n { add(element) }
      sink.wait()
    }
  }

  /// An object whose deallocation calls a function.
  private final class OnRelease {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    deinit { body() }
  }
}

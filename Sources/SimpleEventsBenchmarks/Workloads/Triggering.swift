internal import Dispatch
internal import SimpleEvents
internal import Synchronization

/// An event is triggered while a delivery is pending, as in a burst.
enum Triggering {
  static var workloads: [Workload] { [pending, contended] }

  private static var pending: Workload {
    Workload(
      "trigger-pending", unit: "trigger", sizes: [10_000, 100_000, 1_000_000],
      mainSize: 1_000_000, quickSize: 10_000,
      baseline: Baseline.source,
      bars: [
        .ratio(0.25, to: Baseline.source), .count(.deliveries, atMost: 1), .count(.turns, atMost: 1),
      ],
      subjects: [
        Subject("SimpleEvents LazySimpleEvent") { fixture in
          let queue = fixture.queue()
          let (event, token) = event(fixture, queue)
          return .pending(fixture, queue, keeping: token) {
            for _ in 0..<fixture.n {
              event.trigger()
            }
          }
        },
        .pendingSource,
        exchange(threads: 1),
        Subject(Baseline.stream) { fixture in
          let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
          return Trial(
            operations: fixture.n, deliveries: nil, settle: { withExtendedLifetime(stream) {} }
          ) {
            for _ in 0..<fixture.n {
              continuation.yield()
            }
          }
        },
        Subject(Baseline.async, divisor: 10) { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let blockade = BlockedQueue(queue)
          return Trial(
            operations: fixture.n, isRepeatable: false,
            deliveries: { runs, _ in runs * fixture.n...runs * fixture.n },
            settle: {
              blockade.lift()
              queue.sync {}
            }
          ) {
            for _ in 0..<fixture.n {
              queue.async { sink.hit() }
            }
          }
        },
      ])
  }

  /// Two threads trigger at the same time. The result is the total time divided by the number of triggers of
  /// both threads.
  private static var contended: Workload {
    Workload(
      "trigger-contended", unit: "trigger, two threads", sizes: [100_000, 1_000_000],
      mainSize: 1_000_000, quickSize: 10_000, parallelism: .threads(2),
      baseline: Baseline.source,
      bars: [.ratio(0.35, to: Baseline.source), .count(.deliveries, atMost: 1)],
      subjects: [
        Subject("SimpleEvents LazySimpleEvent") { fixture in
          let queue = fixture.queue()
          let (event, token) = event(fixture, queue)
          let half = fixture.n / 2
          return .pending(fixture, queue, keeping: token) {
            ThreadPair.run {
              for _ in 0..<half {
                event.trigger()
              }
            }
          }
        },
        Subject(Baseline.source) { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let source = Source(queue) { sink.hit() }
          let half = fixture.n / 2
          return .pending(fixture, queue, keeping: nil) {
            ThreadPair.run {
              for _ in 0..<half {
                source.trigger()
              }
            }
          }
        },
        exchange(threads: 2),
      ])
  }

  private static func event(_ fixture: Fixture, _ queue: DispatchQueue) -> (
    LazySimpleEvent, (any SimpleEventToken)?
  ) {
    let event = LazySimpleEvent(on: fixture.scheduler(queue))
    let sink = fixture.sink
    return (event, event.addObserver { _ in sink.hit() })
  }

  private static func exchange(threads: Int) -> Subject {
    Subject(Baseline.exchange) { fixture in
      let flag = Flag()
      let each = fixture.n / threads
      return Trial(operations: fixture.n, deliveries: nil) {
        let body: @Sendable () -> Void = {
          for _ in 0..<each {
            _ = flag.set()
          }
        }
        threads == 1 ? body() : ThreadPair.run(body)
      }
    }
  }
}

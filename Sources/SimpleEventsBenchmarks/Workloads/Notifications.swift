internal import Dispatch
internal import SimpleEvents

/// The notifications of an event as an asynchronous sequence, compared with a stream that keeps the newest
/// element.
enum Notifications {
  static var workloads: [Workload] { [pending, next, wake] }

  /// The event is triggered while no task takes the notifications.
  private static var pending: Workload {
    Workload(
      "notifications-pending", unit: "trigger", sizes: [10_000, 100_000], mainSize: 100_000,
      quickSize: 10_000, baseline: Baseline.stream,
      bars: [.ratio(2, to: Baseline.stream), .count(.heapBytesGrown, atMost: 4096)],
      subjects: [
        Subject("SimpleEvents notifications") { fixture in
          let event = SimpleEvent()
          let iterator = event.notifications.makeAsyncIterator()
          return Trial(
            operations: fixture.n, deliveries: nil, settle: { withExtendedLifetime(iterator) {} }
          ) {
            for _ in 0..<fixture.n {
              event.trigger()
            }
          }
        },
        Subject(Baseline.stream) { fixture in
          let (stream, continuation) = makeStream()
          return Trial(
            operations: fixture.n, deliveries: nil, settle: { withExtendedLifetime(stream) {} }
          ) {
            for _ in 0..<fixture.n {
              continuation.yield()
            }
          }
        },
      ])
  }

  /// The event is triggered, and a call of `next` takes the notification, in one task.
  private static var next: Workload {
    Workload(
      "notifications-next", unit: "trigger and next", sizes: [10_000, 100_000], mainSize: 100_000,
      quickSize: 10_000, baseline: Baseline.stream, bars: [.ratio(0.2, to: Baseline.stream)],
      subjects: [
        Subject("SimpleEvents notifications") { fixture in
          trial(fixture) { n in
            let event = SimpleEvent()
            var iterator = event.notifications.makeAsyncIterator()
            var count = 0
            for _ in 0..<n {
              event.trigger()
              if await iterator.next() != nil { count += 1 }
            }
            return count
          }
        },
        Subject(Baseline.stream) { fixture in
          trial(fixture) { n in
            let (stream, continuation) = makeStream()
            var iterator = stream.makeAsyncIterator()
            var count = 0
            for _ in 0..<n {
              continuation.yield()
              if await iterator.next() != nil { count += 1 }
            }
            return count
          }
        },
      ])
  }

  /// The time from a trigger to the waiting task, and back to the triggering thread.
  private static var wake: Workload {
    Workload(
      "notifications-wake", unit: "round trip", sizes: [1], quickSize: 1, alternates: true,
      baseline: Baseline.stream, bars: [.ratio(1.1, to: Baseline.stream)],
      subjects: [
        Subject("SimpleEvents notifications") { fixture in
          let sink = fixture.sink
          let event = SimpleEvent()
          let notifications = event.notifications
          Task.detached {
            for await _ in notifications {
              sink.hitAndSignal()
            }
          }
          // The trial retains the event. The release of the event ends the task.
          return roundTrip(fixture) { event.trigger() }
        },
        Subject(Baseline.stream) { fixture in
          let sink = fixture.sink
          let (stream, continuation) = makeStream()
          Task.detached {
            for await _ in stream {
              sink.hitAndSignal()
            }
          }
          return roundTrip(fixture) { continuation.yield() }
        },
      ])
  }

  private static func makeStream() -> (
    stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation
  ) {
    AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// A trial that runs an asynchronous body in a task.
  private static func trial(_ fixture: Fixture, _ body: @escaping @Sendable (Int) async -> Int) -> Trial {
    let n = fixture.n
    let sink = fixture.sink
    return Trial(operations: n, deliveries: { runs, _ in runs...runs }) {
      Task.detached {
        let count = await body(n)
        precondition(count == n, "a notification was lost")
        sink.hitAndSignal()
      }
      sink.wait()
    }
  }

  private static func roundTrip(_ fixture: Fixture, _ trigger: @escaping () -> Void) -> Trial {
    Trial(operations: 1, deliveries: { runs, _ in runs...runs }) {
      trigger()
      fixture.sink.wait()
    }
  }
}

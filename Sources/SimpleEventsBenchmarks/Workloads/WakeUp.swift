internal import Dispatch
internal import SimpleEvents

/// The time from a trigger to the callback on another thread, and back to the triggering thread.
enum WakeUp {
  static var workloads: [Workload] { [wakeUp] }

  private static var wakeUp: Workload {
    Workload(
      "wakeup", unit: "round trip", sizes: [1], quickSize: 1, alternates: true, baseline: Baseline.source,
      bars: [.ratio(1.1, to: Baseline.source)],
      subjects: [
        Subject("SimpleEvents LazySimpleEvent") { fixture in
          let sink = fixture.sink
          let event = LazySimpleEvent(on: fixture.scheduler(fixture.queue()))
          let token = event.addObserver { _ in sink.hitAndSignal() }
          return roundTrip(fixture, keeping: token) { event.trigger() }
        },
        Subject(Baseline.source) { fixture in
          let sink = fixture.sink
          let source = Source(fixture.queue()) { sink.hitAndSignal() }
          return roundTrip(fixture, keeping: nil) { source.trigger() }
        },
        Subject(Baseline.async) { fixture in
          let sink = fixture.sink
          let queue = fixture.queue()
          return roundTrip(fixture, keeping: nil) { queue.async { sink.hitAndSignal() } }
        },
        Subject(Baseline.stream) { fixture in
          let sink = fixture.sink
          let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
          Task.detached {
            for await _ in stream {
              sink.hitAndSignal()
            }
          }
          // The trial retains the continuation. The release of the continuation ends the stream and the task.
          return roundTrip(fixture, keeping: nil) { continuation.yield() }
        },
      ])
  }

  private static func roundTrip(
    _ fixture: Fixture, keeping: AnyObject?, _ trigger: @escaping () -> Void
  ) -> Trial {
    Trial(
      operations: 1, deliveries: { runs, _ in runs...runs }, settle: { withExtendedLifetime(keeping) {} }
    ) {
      trigger()
      fixture.sink.wait()
    }
  }
}

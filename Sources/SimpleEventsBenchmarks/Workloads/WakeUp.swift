internal import Dispatch
internal import SimpleEvents

/// From a trigger to the callback on another thread, and back to the triggering thread.
enum WakeUp {
  static var workloads: [Workload] { [wakeUp] }

  private static var wakeUp: Workload {
    Workload(
      "wakeup", unit: "round trip", sizes: [1], quickSize: 1, alternates: true, baseline: Baseline.source,
      bars: [.ratio(1.1, to: Baseline.source)],
      subjects: [
        Subject("SimpleEvents LazySimpleEvent") { stage in
          let sink = stage.sink
          let event = LazySimpleEvent(on: stage.scheduler(stage.queue()))
          let token = event.addObserver { _ in sink.hitAndSignal() }
          return roundTrip(stage, keeping: token) { event.trigger() }
        },
        Subject(Baseline.source) { stage in
          let sink = stage.sink
          let source = Source(stage.queue()) { sink.hitAndSignal() }
          return roundTrip(stage, keeping: nil) { source.trigger() }
        },
        Subject(Baseline.async) { stage in
          let sink = stage.sink
          let queue = stage.queue()
          return roundTrip(stage, keeping: nil) { queue.async { sink.hitAndSignal() } }
        },
        Subject(Baseline.stream) { stage in
          let sink = stage.sink
          let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
          Task.detached {
            for await _ in stream {
              sink.hitAndSignal()
            }
          }
          // The trial holds the continuation. Releasing it ends the stream and the task.
          return roundTrip(stage, keeping: nil) { continuation.yield() }
        },
      ])
  }

  private static func roundTrip(
    _ stage: Stage, keeping: AnyObject?, _ trigger: @escaping () -> Void
  ) -> Trial {
    Trial(
      operations: 1, deliveries: { runs, _ in runs...runs }, settle: { withExtendedLifetime(keeping) {} }
    ) {
      trigger()
      stage.sink.wait()
    }
  }
}

internal import Dispatch
internal import SimpleEvents

/// From a trigger to the callback on a serial queue: one event, and very many.
enum WakeUp {
  static var workloads: [Workload] { [wakeUp] }

  private static var wakeUp: Workload {
    Workload(
      "wakeup", unit: "round trip", sizes: [1], quickSize: 1, baseline: Baseline.source,
      bars: [.ratio(1.1, to: Baseline.source)],
      subjects: [
        Subject("SimpleEvents LazySimpleEvent") { stage in
          let sink = stage.sink
          let event = LazySimpleEvent(scheduler: stage.scheduler(stage.queue()))
          let token = event.addObserver { _ in sink.hitAndSignal() }
          return roundTrips(stage, keeping: token) { event.trigger() }
        },
        Subject(Baseline.source) { stage in
          let sink = stage.sink
          let source = Source(stage.queue()) { sink.hitAndSignal() }
          return roundTrips(stage, keeping: nil) { source.trigger() }
        },
        Subject(Baseline.async) { stage in
          let sink = stage.sink
          let queue = stage.queue()
          return roundTrips(stage, keeping: nil) { queue.async { sink.hitAndSignal() } }
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
          // The stream ends, and the task with it, when the trial lets go of the continuation.
          return roundTrips(stage, keeping: nil) { continuation.yield() }
        },
      ])
  }

  private static func roundTrips(
    _ stage: Stage, keeping: AnyObject?, _ trigger: @escaping () -> Void
  ) -> Trial {
    let trips = 100
    return Trial(
      operations: trips, deliveries: { runs, _ in runs * trips...runs * trips },
      settle: { withExtendedLifetime(keeping) {} }
    ) {
      for _ in 0..<trips {
        trigger()
        stage.sink.wait()
      }
    }
  }
}

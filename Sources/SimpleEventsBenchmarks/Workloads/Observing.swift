internal import Dispatch
internal import Observation
internal import SimpleEvents

/// One property of an observed model changes, and the change gives a notification.
enum Observing {
  static var workloads: [Workload] {
    [
      workload("observation-event", bar: 1.8) { $0.a },
      workload("observation-event-ten", bar: 1.2) { $0.sum },
      sequence,
    ]
  }

  private static func workload(
    _ name: String, bar: Double, read: @escaping @Sendable (ObservedModel) -> Int
  ) -> Workload {
    Workload(
      name, unit: "change and notification", sizes: [1000, 10_000], mainSize: 10_000, quickSize: 1000,
      baseline: Baseline.tracking,
      bars: [.ratio(bar, to: Baseline.tracking), .count(.heapBytesGrown, atMost: 4096)],
      subjects: [
        Subject("SimpleEvents ObservationEvent") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let model = ObservedModel()
          let scheduler = fixture.scheduler(queue)
          let event = queue.sync { ObservationEvent(on: scheduler) { sink.swallow(read(model)) } }
          let token = event.addObserver { _ in sink.hit() }
          return trial(fixture, queue, model, keeping: (event, token))
        },
        Subject(Baseline.tracking) { fixture in
          let queue = fixture.queue()
          let model = ObservedModel()
          queue.sync { track(model, queue, fixture.sink, read) }
          return trial(fixture, queue, model, keeping: ())
        },
      ])
  }

  /// A model changes, and the change continues a loop on an actor.
  private static var sequence: Workload {
    Workload(
      "observation-event-sequence", unit: "change and iteration", sizes: [1000, 10_000], mainSize: 10_000,
      quickSize: 1000, baseline: Baseline.observations, bars: [.ratio(1.1, to: Baseline.observations)],
      subjects: [
        Subject("SimpleEvents ObservationEvent.notifications") { fixture in
          trial(fixture) { await $0.followEvent($1, $2) }
        },
        Subject(Baseline.observations) { fixture in
          trial(fixture) { await $0.followObservations($1, $2) }
        },
      ])
  }

  private static func trial(
    _ fixture: Fixture, _ follow: @escaping @Sendable (ModelActor, Int, Sink) async -> Void
  ) -> Trial {
    let n = fixture.n
    let sink = fixture.sink
    return Trial(operations: n, deliveries: { runs, _ in runs * n...runs * n }) {
      let isOver = DispatchSemaphore(value: 0)
      Task.detached {
        await follow(ModelActor(), n, sink)
        isOver.signal()
      }
      isOver.wait()
    }
  }

  /// Reads the model, and reads it again on the next turn after each change.
  private static func track(
    _ model: ObservedModel, _ queue: DispatchQueue, _ sink: Sink,
    _ read: @escaping @Sendable (ObservedModel) -> Int
  ) {
    let value = withObservationTracking {
      read(model)
    } onChange: { [weak model] in
      guard let model else { return }
      queue.async {
        sink.hit()
        track(model, queue, sink, read)
      }
    }
    sink.swallow(value)
  }

  /// A trial that changes a property in rounds. Each round is a block on the queue, behind the notification
  /// of the previous round.
  private static func trial(
    _ fixture: Fixture, _ queue: DispatchQueue, _ model: ObservedModel, keeping: Any
  ) -> Trial {
    let rounds = fixture.n
    let isOver = DispatchSemaphore(value: 0)
    return Trial(
      operations: rounds, deliveries: { runs, _ in runs * rounds...runs * rounds },
      settle: { withExtendedLifetime(keeping) {} }
    ) {
      @Sendable func round(_ number: Int) {
        queue.async {
          guard number <= rounds else {
            isOver.signal()
            return
          }
          model.a = number
          round(number + 1)
        }
      }
      round(1)
      isOver.wait()
    }
  }
}

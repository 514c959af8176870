internal import Dispatch
internal import SimpleEvents
internal import Synchronization

/// From a trigger to the callback on a serial queue: one event, and very many.
enum Delivery {
  static var workloads: [Workload] { [wakeUp, manyEvents, manyEventsAgain] }

  private static var wakeUp: Workload {
    Workload(
      "wakeup", unit: "round trip", sizes: [1], quickSize: 1, baseline: Baseline.source,
      bars: [.ratio(1.1, to: Baseline.source)],
      subjects: [
        Subject("SimpleEvents LazySimpleEvent") { stage in
          let sink = stage.sink
          let event = LazySimpleEvent(on: stage.scheduler(stage.queue()))
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

  private static let sizes: [Int] = [1000, 10_000, 100_000]

  /// The first trigger of each event, which makes what it needs to deliver.
  private static var manyEvents: Workload {
    Workload(
      "many-events", unit: "event", sizes: sizes, mainSize: 100_000, quickSize: 1000,
      baseline: Baseline.source,
      bars: [.ratio(1.2, to: Baseline.source), .count(.heapBytesEach, atMost: 400)],
      subjects: subjects(isRepeatable: false))
  }

  /// Every later trigger.
  private static var manyEventsAgain: Workload {
    Workload(
      "many-events-again", unit: "event", sizes: sizes, mainSize: 100_000, quickSize: 1000,
      baseline: Baseline.source, bars: [.ratio(1.2, to: Baseline.source)],
      subjects: subjects(isRepeatable: true))
  }

  private static func subjects(isRepeatable: Bool) -> [Subject] {
    [
      Subject("SimpleEvents LazySimpleEvent") { stage in
        let sink = stage.sink
        // NB: the queue itself also where turns are counted: what counts them would hide that it is one.
        let queue = stage.queue()
        let events = Holder<LazySimpleEvent>(capacity: stage.n)
        let tokens = Holder<(any SimpleEventToken)?>(capacity: stage.n)
        stage.markHeap()
        for _ in 0..<stage.n {
          let event = LazySimpleEvent(on: queue)
          events.items.append(event)
          tokens.items.append(event.addObserver { _ in sink.hit() })
        }
        return all(stage, queue, isRepeatable, keeping: tokens) {
          for event in events.items {
            event.trigger()
          }
        }
      },
      Subject(Baseline.source) { stage in
        let sink = stage.sink
        let queue = stage.queue()
        let sources = Holder<Source>(capacity: stage.n)
        stage.markHeap()
        for _ in 0..<stage.n {
          sources.items.append(Source(queue) { sink.hit() })
        }
        return all(stage, queue, isRepeatable, keeping: nil) {
          for source in sources.items {
            source.trigger()
          }
        }
      },
      Subject(Baseline.async) { stage in
        let sink = stage.sink
        let queue = stage.queue()
        return all(stage, queue, isRepeatable, keeping: nil) {
          for _ in 0..<stage.n {
            queue.async { sink.hit() }
          }
        }
      },
      Subject("hand-written shared list") { stage in
        let sink = stage.sink
        let queue = stage.queue()
        let list = SharedList(queue)
        let events = Holder<SharedList.Event>(capacity: stage.n)
        stage.markHeap()
        for _ in 0..<stage.n {
          events.items.append(SharedList.Event { sink.hit() })
        }
        return all(stage, queue, isRepeatable, keeping: nil) {
          for event in events.items {
            list.trigger(event)
          }
        }
      },
    ]
  }

  /// A trial that triggers everything once, and waits for everything.
  private static func all(
    _ stage: Stage, _ queue: DispatchQueue, _ isRepeatable: Bool, keeping: AnyObject?,
    _ trigger: @escaping () -> Void
  ) -> Trial {
    Trial(
      operations: stage.n, isRepeatable: isRepeatable,
      deliveries: { runs, _ in runs * stage.n...runs * stage.n },
      settle: {
        queue.sync {}
        withExtendedLifetime(keeping) {}
      }
    ) {
      stage.sink.target = stage.sink.count + stage.n
      trigger()
      stage.sink.wait()
    }
  }
}

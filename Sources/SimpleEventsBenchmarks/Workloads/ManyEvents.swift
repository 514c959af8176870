internal import Dispatch
internal import SimpleEvents

/// One trigger and one delivery of each of very many events on one queue.
enum ManyEvents {
  static var workloads: [Workload] { [first, again] }

  private static let sizes: [Int] = [1000, 10_000, 100_000]

  /// The first trigger of each event, including the allocations that the first delivery needs.
  private static var first: Workload {
    Workload(
      "many-events", unit: "event", sizes: sizes, mainSize: 100_000, quickSize: 1000,
      baseline: Baseline.source,
      bars: [.ratio(1, to: Baseline.source), .count(.heapBytesEach, atMost: 288)],
      subjects: subjects(isRepeatable: false))
  }

  /// Every later trigger.
  private static var again: Workload {
    Workload(
      "many-events-again", unit: "event", sizes: sizes, mainSize: 100_000, quickSize: 1000,
      baseline: Baseline.source, bars: [.ratio(1, to: Baseline.source)],
      subjects: subjects(isRepeatable: true))
  }

  private static func subjects(isRepeatable: Bool) -> [Subject] {
    [
      Subject("SimpleEvents LazySimpleEvent") { stage in
        let sink = stage.sink
        // NB: not the stage's scheduler. Events on a queue share turns, which a counting scheduler prevents.
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

  /// A trial that triggers all events once and waits for all deliveries.
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

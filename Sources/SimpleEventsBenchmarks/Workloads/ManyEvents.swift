internal import Dispatch
internal import SimpleEvents

/// Each of very many events on one queue is triggered and delivered once.
enum ManyEvents {
  static var workloads: [Workload] { [first, again] }

  private static let sizes: [Int] = [1000, 10_000, 100_000]

  /// The first trigger of each event, including the allocations for the first delivery.
  private static var first: Workload {
    Workload(
      "many-events", unit: "event", sizes: sizes, mainSize: 100_000, quickSize: 1000,
      baseline: Baseline.source,
      bars: [.ratio(1, to: Baseline.source), .count(.heapBytesEach, atMost: 288)],
      subjects: subjects(isRepeatable: false))
  }

  /// The later triggers of each event.
  private static var again: Workload {
    Workload(
      "many-events-again", unit: "event", sizes: sizes, mainSize: 100_000, quickSize: 1000,
      baseline: Baseline.source, bars: [.ratio(1, to: Baseline.source)],
      subjects: subjects(isRepeatable: true))
  }

  private static func subjects(isRepeatable: Bool) -> [Subject] {
    [
      Subject("SimpleEvents LazySimpleEvent") { fixture in
        let sink = fixture.sink
        // NB: this is not the fixture's scheduler. Events on a queue share turns, and events on a counting
        // scheduler do not.
        let queue = fixture.queue()
        let events = Box<LazySimpleEvent>(capacity: fixture.n)
        let tokens = Box<(any SimpleEventToken)?>(capacity: fixture.n)
        fixture.markHeap()
        for _ in 0..<fixture.n {
          let event = LazySimpleEvent(on: queue)
          events.items.append(event)
          tokens.items.append(event.addObserver { _ in sink.hit() })
        }
        return all(fixture, queue, isRepeatable, keeping: tokens) {
          for event in events.items {
            event.trigger()
          }
        }
      },
      Subject(Baseline.source) { fixture in
        let sink = fixture.sink
        let queue = fixture.queue()
        let sources = Box<Source>(capacity: fixture.n)
        fixture.markHeap()
        for _ in 0..<fixture.n {
          sources.items.append(Source(queue) { sink.hit() })
        }
        return all(fixture, queue, isRepeatable, keeping: nil) {
          for source in sources.items {
            source.trigger()
          }
        }
      },
      Subject(Baseline.async) { fixture in
        let sink = fixture.sink
        let queue = fixture.queue()
        return all(fixture, queue, isRepeatable, keeping: nil) {
          for _ in 0..<fixture.n {
            queue.async { sink.hit() }
          }
        }
      },
      Subject("hand-written shared list") { fixture in
        let sink = fixture.sink
        let queue = fixture.queue()
        let list = SharedList(queue)
        let events = Box<SharedList.Event>(capacity: fixture.n)
        fixture.markHeap()
        for _ in 0..<fixture.n {
          events.items.append(SharedList.Event { sink.hit() })
        }
        return all(fixture, queue, isRepeatable, keeping: nil) {
          for event in events.items {
            list.trigger(event)
          }
        }
      },
    ]
  }

  /// A trial that triggers all events once and waits for all deliveries.
  private static func all(
    _ fixture: Fixture, _ queue: DispatchQueue, _ isRepeatable: Bool, keeping: AnyObject?,
    _ trigger: @escaping () -> Void
  ) -> Trial {
    Trial(
      operations: fixture.n, isRepeatable: isRepeatable,
      deliveries: { runs, _ in runs * fixture.n...runs * fixture.n },
      settle: {
        queue.sync {}
        withExtendedLifetime(keeping) {}
      }
    ) {
      fixture.sink.target = fixture.sink.count + fixture.n
      trigger()
      fixture.sink.wait()
    }
  }
}

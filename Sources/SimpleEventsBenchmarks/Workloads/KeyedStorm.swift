internal import Dispatch
internal import SimpleEvents

/// Each of very many keys is signalled and delivered once, by a debounce.
enum KeyedStorm {
  static var workloads: [Workload] { [storm] }

  private static let window: Duration = .milliseconds(1)

  private static var storm: Workload {
    Workload(
      "keyed-storm", unit: "key", sizes: [1000, 10_000, 100_000, 1_000_000], mainSize: 1_000_000,
      quickSize: 1000, repetitions: 5, baseline: Baseline.tasks,
      bars: [
        .ratio(0.1, to: Baseline.tasks), .count(.heapBytesGrown, atMost: 65_536),
      ],
      subjects: [
        Subject("SimpleEvents KeyedCallback") { fixture in
          let (queue, sink) = (fixture.queue(), fixture.sink)
          let callback = KeyedCallback<Int>(on: fixture.scheduler(queue), policy: .debounce(window)) { _ in
            sink.hit()
          }
          return trial(fixture, queue, keeping: callback) { callback.schedule($0) }
        },
        Subject(Baseline.tasks) { fixture in
          let sink = SharedSink(fixture.sink)
          let tasks = TaskDictionary(window) { _ in sink.hit() }
          return trial(fixture, nil, keeping: tasks) { tasks.schedule($0) }
        },
        Subject(Baseline.timers, divisor: 10) { fixture in
          let (queue, sink) = (fixture.queue(), fixture.sink)
          let timers = TimerDictionary(queue, .milliseconds(1)) { _ in sink.hit() }
          return trial(fixture, queue, keeping: timers) { timers.schedule($0) }
        },
        Subject(Baseline.callbacks, divisor: 10) { fixture in
          let (queue, sink) = (fixture.queue(), fixture.sink)
          let callbacks = CallbackDictionary(fixture.scheduler(queue), .debounce(window)) { _ in sink.hit() }
          return trial(fixture, queue, keeping: callbacks) { callbacks.schedule($0) }
        },
      ])
  }

  /// A trial that signals all keys, and waits for all deliveries.
  ///
  /// - Parameter queue: The queue of the deliveries; nil for tasks. It is busy until all keys are signalled,
  ///   so that the signals and the deliveries do not compete.
  private static func trial(
    _ fixture: Fixture, _ queue: DispatchQueue?, keeping object: AnyObject, _ signal: @escaping (Int) -> Void
  ) -> Trial {
    Trial(
      operations: fixture.n, deliveries: { runs, _ in runs * fixture.n...runs * fixture.n },
      settle: {
        queue?.sync {}
        withExtendedLifetime(object) {}
      }
    ) {
      fixture.sink.target = fixture.sink.count + fixture.n
      let blockade = queue.map(BlockedQueue.init)
      for key in 0..<fixture.n { signal(key) }
      blockade?.lift()
      fixture.sink.wait()
      queue?.sync {}
    }
  }
}

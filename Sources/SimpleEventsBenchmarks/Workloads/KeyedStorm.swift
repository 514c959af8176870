internal import Dispatch
internal import SimpleEvents

/// Each of very many keys is signalled and delivered once, by a debounce.
enum KeyedStorm {
  static var workloads: [Workload] {
    [
      storm("keyed-storm", unit: "key", bar: 0.2),
      storm("keyed-storm-processor", unit: "key, processor time", bar: 0.13, measuresProcessorTime: true),
    ]
  }

  private static let window: Duration = .milliseconds(1)

  /// - Parameter measuresProcessorTime: Whether the time is the processor time of the process, instead of the
  ///   elapsed time. The windows are part of the elapsed time.
  private static func storm(
    _ name: String, unit: String, bar: Double, measuresProcessorTime: Bool = false
  ) -> Workload {
    func trial(
      _ fixture: Fixture, _ queue: DispatchQueue?, keeping object: AnyObject,
      _ signal: @escaping (Int) -> Void
    ) -> Trial {
      self.trial(fixture, queue, measuresProcessorTime, keeping: object, signal)
    }
    return Workload(
      name, unit: unit, sizes: [1000, 10_000, 100_000, 1_000_000], mainSize: 1_000_000,
      quickSize: 1000, repetitions: 5, baseline: Baseline.tasks,
      bars: [
        .ratio(bar, to: Baseline.tasks), .count(.heapBytesGrown, atMost: 65_536),
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
    _ fixture: Fixture, _ queue: DispatchQueue?, _ measuresProcessorTime: Bool, keeping object: AnyObject,
    _ signal: @escaping (Int) -> Void
  ) -> Trial {
    var processorTime = 0.0
    return Trial(
      operations: fixture.n, isRepeatable: !measuresProcessorTime,
      deliveries: { runs, _ in runs * fixture.n...runs * fixture.n },
      ownTime: measuresProcessorTime ? { processorTime } : nil,
      settle: {
        queue?.sync {}
        withExtendedLifetime(object) {}
      }
    ) {
      let watch = Stopwatch()
      fixture.sink.target = fixture.sink.count + fixture.n
      let blockade = queue.map(BlockedQueue.init)
      for key in 0..<fixture.n { signal(key) }
      blockade?.lift()
      fixture.sink.wait()
      queue?.sync {}
      processorTime = watch.processorTime
    }
  }
}

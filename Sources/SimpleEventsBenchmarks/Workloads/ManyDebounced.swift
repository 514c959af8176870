internal import Dispatch
internal import Foundation
internal import SimpleEvents
internal import TestSupport

/// The processor time of very many debounces. Each is signalled 20 times a second on average.
enum ManyDebounced {
  /// With the short window, one signal in seven is the last of a burst. With the long window, one signal in
  /// 400 is the last of a burst.
  static var workloads: [Workload] {
    [debounced("many-debounced", by: 300, bar: 0.5), debounced("many-debounced-short", by: 100, bar: 0.75)]
  }

  /// The milliseconds during which signals are sent.
  private static let ticks: Int = 500
  private static let source: String = "DispatchSourceTimer each"

  private static func debounced(_ name: String, by milliseconds: Int, bar: Double) -> Workload {
    let window = Duration.milliseconds(milliseconds)
    func trial(
      _ fixture: Fixture, _ queue: DispatchQueue, keeping tokens: [(any SimpleEventToken)?] = [],
      _ signal: @escaping (Int) -> Void
    ) -> Trial {
      self.trial(fixture, queue, window, keeping: tokens, signal)
    }
    return Workload(
      name, unit: "signal, processor time", sizes: [10_000], quickSize: 10_000, repetitions: 5,
      baseline: source, bars: [.ratio(bar, to: source)],
      subjects: [
        Subject("SimpleEvents LazySimpleEvent") { fixture in
          let (queue, sink) = (fixture.queue(), fixture.sink)
          let events = (0..<fixture.n).map { _ in LazySimpleEvent(on: queue, policy: .debounce(window)) }
          let tokens = events.map { $0.addObserver { _ in sink.hit() } }
          return trial(fixture, queue, keeping: tokens) { events[$0].trigger() }
        },
        Subject("SimpleEvents KeyedCallback") { fixture in
          let (queue, sink) = (fixture.queue(), fixture.sink)
          let callback = KeyedCallback<Int>(on: queue, policy: .debounce(window)) { _ in sink.hit() }
          return trial(fixture, queue) { callback.schedule($0) }
        },
        Subject(source) { fixture in
          let (queue, sink) = (fixture.queue(), fixture.sink)
          let timers = (0..<fixture.n).map { _ in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { sink.hit() }
            timer.schedule(deadline: .distantFuture)
            timer.activate()
            return timer
          }
          return trial(fixture, queue) { timers[$0].schedule(deadline: .now() + .milliseconds(milliseconds)) }
        },
        Subject(Baseline.tasks) { fixture in
          let (queue, sink) = (fixture.queue(), SharedSink(fixture.sink))
          let tasks = TaskDictionary(window) { _ in sink.hit() }
          return trial(fixture, queue) { tasks.schedule($0) }
        },
      ])
  }

  /// A trial that sends 200 signals a millisecond to random objects, and waits for the last windows. Its time
  /// is the processor time of the process.
  private static func trial(
    _ fixture: Fixture, _ queue: DispatchQueue, _ window: Duration, keeping tokens: [(any SimpleEventToken)?],
    _ signal: @escaping (Int) -> Void
  ) -> Trial {
    let count = 200 * ticks
    var processorTime = 0.0
    return Trial(
      operations: count, isRepeatable: false,
      // The lower bound holds because the random numbers of this seed signal each object.
      deliveries: { _, _ in fixture.n...count }, ownTime: { processorTime },
      settle: {
        queue.sync {}
        withExtendedLifetime(tokens) {}
      }
    ) {
      let start = Date()
      let watch = Stopwatch()
      var random = SeededGenerator(seed: 5)
      for tick in 0..<ticks {
        for _ in 0..<200 { signal(Int(random.next() % UInt64(fixture.n))) }
        // After a late tick, the next ticks follow without a pause.
        Thread.sleep(until: start + Double(tick + 1) / 1000)
      }
      Thread.sleep(forTimeInterval: window / .seconds(1) + 0.3)
      processorTime = watch.processorTime
    }
  }
}

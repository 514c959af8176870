internal import Dispatch
internal import SimpleEvents
internal import Synchronization

/// The lateness of a delivery at a deadline: the time from the deadline to the callback.
enum Deadline {
  static var workloads: [Workload] {
    [
      deadline, busy("deadline-busy", percentile: 50, [.ratio(2.2, to: Baseline.timer)]),
      // The percentile is the second largest of 200 samples, so it depends on single time slices.
      busy("deadline-busy-p99", percentile: 99, []),
    ]
  }

  private static let interval: Int = 200_000

  /// Returns a function. Each call of that function starts the interval. At the end of the interval, the
  /// closure is called.
  private typealias Prepare = (Fixture, DispatchQueue, @escaping @Sendable () -> Void) -> () -> Void

  private static var ways: [(name: String, prepare: Prepare)] {
    [
      (
        "SimpleEvents CoalescingCallback, debounced",
        { fixture, queue, arrive in
          let callback = CoalescingCallback(
            on: fixture.scheduler(queue), policy: .debounce(.nanoseconds(interval)), block: arrive)
          return { callback.schedule() }
        }
      ),
      (
        Baseline.timer,
        { fixture, queue, arrive in
          let timer = Timer(queue, arrive)
          return {
            fixture.countTimers(1)
            timer.schedule(after: interval)
          }
        }
      ),
      (
        "asyncAfter",
        { _, queue, arrive in
          { queue.asyncAfter(deadline: .now() + .nanoseconds(interval), execute: arrive) }
        }
      ),
      (
        Baseline.taskSleep,
        { _, _, arrive in
          var task: Task<Void, any Error>?
          return {
            task?.cancel()
            task = Task.detached {
              try await Task.sleep(nanoseconds: UInt64(interval))
              arrive()
            }
          }
        }
      ),
    ]
  }

  private static var deadline: Workload {
    Workload(
      "deadline", unit: "delivery", sizes: [1], quickSize: 1, alternates: true, baseline: Baseline.timer,
      bars: [.ratio(1.1, to: Baseline.timer)],
      subjects: ways.map { way in Subject(way.name) { lateness($0, way.prepare) } })
  }

  /// A percentile of the latenesses of many deliveries beside eight busy threads; the size is the number of
  /// deliveries.
  private static func busy(_ name: String, percentile: Int, _ bars: [Bar]) -> Workload {
    Workload(
      name, unit: "delivery", sizes: [200], quickSize: 2, repetitions: 7, baseline: Baseline.timer,
      bars: bars,
      subjects: ways.map { way in
        Subject(way.name) { fixture in
          let (n, trial) = (fixture.n, lateness(fixture, way.prepare))
          var samples: [Double] = []
          return Trial(
            operations: 1, isRepeatable: false, deliveries: { _, _ in n...n },
            ownTime: { samples.sorted()[n * percentile / 100] }
          ) {
            let threads = BusyThreads(8)
            for _ in 0..<n {
              trial.run()
              samples.append(trial.ownTime?() ?? .nan)
            }
            threads.end()
          }
        }
      })
  }

  /// A trial whose time is the lateness of its callback.
  private static func lateness(_ fixture: Fixture, _ prepare: Prepare) -> Trial {
    let sink = fixture.sink
    let arrival = Arrival()
    let request = prepare(fixture, fixture.queue()) {
      arrival.instant.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
      sink.hitAndSignal()
    }
    var deadline: UInt64 = 0
    return Trial(
      operations: 1, deliveries: { runs, _ in runs...runs },
      // The ordering is relaxed, because the semaphore orders the store before the load.
      ownTime: { Double(arrival.instant.load(ordering: .relaxed)) - Double(deadline) }
    ) {
      deadline = DispatchTime.now().uptimeNanoseconds + UInt64(interval)
      request()
      sink.wait()
    }
  }

  private final class Arrival: Sendable {
    let instant: Atomic<UInt64> = Atomic(0)
  }

  /// A hand-written timer that is armed again for each call.
  private final class Timer {
    private let source: any DispatchSourceTimer

    init(_ queue: DispatchQueue, _ action: @escaping @Sendable () -> Void) {
      source = DispatchSource.makeTimerSource(queue: queue)
      source.setEventHandler(handler: action)
      source.schedule(deadline: .distantFuture)
      source.activate()
    }

    deinit { source.cancel() }

    func schedule(after nanoseconds: Int) {
      source.schedule(deadline: .now() + .nanoseconds(nanoseconds), leeway: .nanoseconds(0))
    }
  }
}

internal import Dispatch
internal import SimpleEvents
internal import Synchronization

/// The lateness of a delivery at a deadline: the time from the deadline to the callback.
enum Deadline {
  static var workloads: [Workload] { [deadline] }

  private static let interval: Int = 200_000

  private static var deadline: Workload {
    Workload(
      "deadline", unit: "delivery", sizes: [1], quickSize: 1, alternates: true, baseline: Baseline.timer,
      bars: [.ratio(1.1, to: Baseline.timer)],
      subjects: [
        Subject("SimpleEvents CoalescingCallback, debounced") { fixture in
          lateness(fixture) { queue, arrive in
            let callback = CoalescingCallback(
              on: fixture.scheduler(queue), policy: .debounce(.nanoseconds(interval)), block: arrive)
            return { callback.schedule() }
          }
        },
        Subject(Baseline.timer) { fixture in
          lateness(fixture) { queue, arrive in
            let timer = Timer(queue, arrive)
            return {
              fixture.countTimers(1)
              timer.schedule(after: interval)
            }
          }
        },
        Subject("asyncAfter") { fixture in
          lateness(fixture) { queue, arrive in
            { queue.asyncAfter(deadline: .now() + .nanoseconds(interval), execute: arrive) }
          }
        },
      ])
  }

  /// A trial whose time is the lateness of its callback.
  ///
  /// - Parameter prepare: Creates the function that requests a call after the interval.
  private static func lateness(
    _ fixture: Fixture, _ prepare: (DispatchQueue, @escaping @Sendable () -> Void) -> () -> Void
  ) -> Trial {
    let sink = fixture.sink
    let arrival = Arrival()
    let request = prepare(fixture.queue()) {
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

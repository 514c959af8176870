internal import Dispatch
internal import SimpleEvents
internal import SimpleEventsLoops

/// The cost of a refresh loop.
///
/// In one workload, runs are requested while a delivery is pending. In the others, each request makes a run.
enum RefreshLoops {
  static var workloads: [Workload] { [pending, run, hosted] }

  private static let event: String = "SimpleEvents LazySimpleEvent"

  private static var pending: Workload {
    Workload(
      "refresh-loop-pending", unit: "request", sizes: [10_000, 100_000, 1_000_000],
      mainSize: 1_000_000, quickSize: 10_000, baseline: event,
      bars: [.ratio(1.5, to: event), .count(.deliveries, atMost: 1), .count(.turns, atMost: 1)],
      subjects: [
        Subject("SimpleEvents RefreshLoop") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          // The loop has no host, so requests stay pending. A loop with a body would run in the meantime.
          let loop = RefreshLoop(on: fixture.scheduler(queue))
          return .pending(fixture, queue, keeping: loop) {
            for _ in 0..<fixture.n {
              loop.request()
            }
          } finish: {
            Task {
              // Without a host, this call leaves the last run to the next host.
              await loop.finish()
              await loop.run { sink.hit() }
            }
          }
        },
        Subject(event) { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let event = LazySimpleEvent(on: fixture.scheduler(queue))
          let token = event.addObserver { _ in sink.hit() }
          return .pending(fixture, queue, keeping: token) {
            for _ in 0..<fixture.n {
              event.trigger()
            }
          }
        },
      ])
  }

  /// The time from a request to the body in its task, and back to the requesting thread.
  private static var run: Workload {
    Workload(
      "refresh-loop-run", unit: "run", sizes: [1], quickSize: 1, alternates: true,
      baseline: Baseline.bareTask,
      bars: [.ratio(1.3, to: Baseline.bareTask)],
      subjects: [
        Subject("SimpleEvents RefreshLoop") { fixture in
          let sink = fixture.sink
          let loop = RefreshLoop(on: fixture.scheduler(fixture.queue())) { sink.hitAndSignal() }
          return roundTrip(fixture) { loop.request() }
        },
        Subject(Baseline.task) { fixture in
          let sink = fixture.sink
          let queue = fixture.queue()
          return roundTrip(fixture) {
            queue.async {
              Task { sink.hitAndSignal() }
            }
          }
        },
        Subject(Baseline.bareTask) { fixture in
          let sink = fixture.sink
          return roundTrip(fixture) {
            Task { sink.hitAndSignal() }
          }
        },
      ])
  }

  /// The time from a request to the body in the task that hosts the loop, and back to the requesting thread.
  private static var hosted: Workload {
    let byHand = "for await over notifications"
    return Workload(
      "refresh-loop-hosted", unit: "run", sizes: [1], quickSize: 1, alternates: true, baseline: byHand,
      bars: [.ratio(0.6, to: byHand)],
      subjects: [
        Subject("SimpleEvents RefreshLoop, hosted") { fixture in
          let sink = fixture.sink
          let loop = RefreshLoop(on: fixture.scheduler(fixture.queue()))
          let host = Host(Task.detached { await loop.run { sink.hitAndSignal() } })
          return roundTrip(fixture) { withExtendedLifetime(host) { loop.request() } }
        },
        Subject(byHand) { fixture in
          let sink = fixture.sink
          let event = LazySimpleEvent(on: fixture.scheduler(fixture.queue()))
          let notifications = event.notifications
          let host = Host(
            Task.detached {
              for await _ in notifications { sink.hitAndSignal() }
            })
          return roundTrip(fixture) { withExtendedLifetime(host) { event.trigger() } }
        },
      ])
  }

  /// A task that is cancelled when its trial ends.
  private final class Host {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }
  }

  private static func roundTrip(_ fixture: Fixture, _ request: @escaping () -> Void) -> Trial {
    Trial(operations: 1, deliveries: { runs, _ in runs...runs }) {
      request()
      fixture.sink.wait()
    }
  }
}

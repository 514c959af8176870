internal import SimpleEvents
internal import SimpleEventsTesting

/// An event that a monitor watches is triggered while a notification is pending (W1).
///
/// This workload is the last one, because objects are created more slowly after a monitor was installed.
enum Monitors {
  static var workloads: [Workload] { [pending] }

  private struct Ignoring: CoalescingMonitor {}

  private static let unwatched: String = "SimpleEvents LazySimpleEvent, without a monitor"

  private static var pending: Workload {
    Workload(
      "monitor-pending", unit: "trigger", sizes: [10_000, 100_000, 1_000_000], mainSize: 1_000_000,
      quickSize: 10_000, baseline: unwatched,
      bars: [
        .ratio(6, to: unwatched), .count(.deliveries, atMost: 1), .count(.heapBytesGrown, atMost: 4096),
      ],
      subjects: [
        Subject("SimpleEvents LazySimpleEvent, with a monitor") { fixture in
          trial(fixture) { make in withCoalescingMonitor(Ignoring(), operation: make) }
        },
        Subject(unwatched) { fixture in trial(fixture) { make in make() } },
      ])
  }

  private static func trial(
    _ fixture: Fixture, _ create: (() -> LazySimpleEvent) -> LazySimpleEvent
  ) -> Trial {
    let queue = fixture.queue()
    let sink = fixture.sink
    let event = create { LazySimpleEvent(on: fixture.scheduler(queue)) }
    let token = event.addObserver { _ in sink.hit() }
    return .pending(fixture, queue, keeping: token) {
      for _ in 0..<fixture.n {
        event.trigger()
      }
    }
  }
}

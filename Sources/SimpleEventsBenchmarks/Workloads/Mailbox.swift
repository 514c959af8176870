internal import Dispatch
internal import SimpleEvents
internal import Synchronization

/// A value is put into a mailbox and taken out again while a delivery of the mailbox's event is pending.
enum Mailbox {
  static var workloads: [Workload] { [mailbox] }

  private static var mailbox: Workload {
    Workload(
      "mailbox", unit: "put and take", sizes: [1000, 10_000, 100_000], quickSize: 1000,
      baseline: Baseline.source, bars: [.ratio(1, to: Baseline.source), .count(.deliveries, atMost: 1)],
      subjects: [
        Subject("SimpleEvents SimpleMailbox") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let event = LazySimpleEvent(on: fixture.scheduler(queue))
          let token = event.addObserver { _ in sink.hit() }
          let box = SimpleMailbox<Int>(event: event)
          return .pending(fixture, queue, keeping: token) {
            for value in 0..<fixture.n {
              box.replaceEvenIfSame(value)
              sink.swallow(box.take() ?? 0)
            }
          }
        },
        .pendingSource,
        Subject("Mutex and DispatchSource.or, twice") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let source = Source(queue) { sink.hit() }
          let box = LockedBox()
          return .pending(fixture, queue, keeping: box) {
            for value in 0..<fixture.n {
              _ = box.exchange(for: value)
              source.trigger()
              sink.swallow(box.exchange(for: nil) ?? 0)
              source.trigger()
            }
          }
        },
      ])
  }

  private final class LockedBox: Sendable {
    /// Guards the value.
    private let value: Mutex<Int?> = Mutex(nil)

    func exchange(for new: Int?) -> Int? {
      value.withLock { value in
        defer { value = new }
        return value
      }
    }
  }
}

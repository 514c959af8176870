import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// W3: monitors that use, create and release the objects about which they are informed, in virtual time.
struct BadMonitorTests {
  /// A monitor that calls a function for each delivery.
  private final class Caller: CoalescingMonitor {
    let log: MonitorLog = MonitorLog()
    let body: Shared<@Sendable (CoalescingDelivery) -> Void> = Shared { _ in }

    func created(_ source: CoalescingSource) { log.created(source) }

    func delivered(_ delivery: CoalescingDelivery) {
      log.delivered(delivery)
      body.value(delivery)
    }

    func ended(_ source: CoalescingSource, unsent: Int) { log.ended(source, unsent: unsent) }
  }

  private let scheduler = TestScheduler()
  private let monitor = Caller()

  private func watched<Object>(_ make: () -> Object) -> Object {
    withCoalescingMonitor(monitor) { make() }
  }

  @Test("W3: a monitor that triggers the object causes one more delivery, on the next turn")
  func triggers() {
    let event = watched { LazySimpleEvent(on: scheduler) }
    let rounds = Shared(3)
    monitor.body.value = { [weak event] _ in
      guard
        rounds.change({ count in
          count -= 1; return count >= 0
        })
      else { return }
      event?.trigger()
      // The flush takes effect after the delivery that is reported, so the monitor does not recurse.
      event?.flush()
    }
    event.trigger()
    event.flush()
    #expect(monitor.log.records[0].deliveries.count == 1)
    scheduler.run()
    #expect(monitor.log.records[0].deliveries.map(\.signalCount) == [1, 1, 1, 1])
  }

  @Test("W3: a monitor that uses its object in every way neither waits for a lock nor recurses")
  func usesAll() {
    let event = watched { LazySimpleEvent(on: scheduler) }
    monitor.body.value = { [weak event] delivery in
      guard let event else { return }
      event.trigger()
      _ = (event.isPending, "\(event)", delivery.source.statistics)
      event.flush()
      event.cancel()
    }
    event.trigger()
    scheduler.run()
    #expect(monitor.log.records[0].deliveries.count == 1)
  }

  @Test("W3: objects that a monitor creates are not watched")
  func creates() {
    let event = watched { LazySimpleEvent(on: scheduler) }
    let others = Shared<[LazySimpleEvent]>([])
    monitor.body.value = { [scheduler] _ in
      withCoalescingMonitor(MonitorLog()) {
        let other = LazySimpleEvent(on: scheduler)
        other.trigger()
        others.value.append(other)
      }
    }
    event.trigger()
    scheduler.run()
    #expect(monitor.log.records.count == 1)
    #expect(others.value.count == 1)
  }

  @Test("W3: a monitor may release the last reference to the object that is reported")
  func releases() {
    let holder = Shared<LazySimpleEvent?>(watched { LazySimpleEvent(on: scheduler) })
    weak let observed = holder.value
    monitor.body.value = { _ in holder.value = nil }
    holder.value?.trigger()
    scheduler.run()
    #expect(observed == nil)
    #expect(monitor.log.records[0].unsent == 0)
    #expect(monitor.log.faults == [])
  }

}

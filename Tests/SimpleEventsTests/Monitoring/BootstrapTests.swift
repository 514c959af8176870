import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// W1 for the monitor of a process. Each test runs in a process of its own.
struct BootstrapTests {
  /// A monitor that uses coalescing objects itself.
  private final class Exporter: CoalescingMonitor {
    let log: MonitorLog = MonitorLog()
    let deliveries: CoalescingCollector<Int>
    let exported: Shared<[Int]> = Shared([])

    init(on scheduler: TestScheduler) {
      deliveries = CoalescingCollector(on: scheduler, keeping: .newest(100)) { [exported] batch in
        exported.change { $0 += batch }
      }
    }

    func created(_ source: CoalescingSource) { log.created(source) }

    func delivered(_ delivery: CoalescingDelivery) {
      log.delivered(delivery)
      deliveries.add(delivery.signalCount)
    }
  }

  @Test("W1: the monitor of a process sees the objects of all its tasks and threads")
  func bootstrap() async {
    await #expect(processExitsWith: .success) {
      let log = MonitorLog()
      CoalescingSystem.bootstrap(log)
      let scheduler = TestScheduler()
      let event = LazySimpleEvent(on: scheduler, label: "a")
      let other = await Task.detached { LazySimpleEvent(on: scheduler, label: "b") }.value
      event.trigger()
      other.trigger()
      scheduler.run()
      precondition(log.records.map(\.source.label) == ["a", "b"])
      precondition(log.records.map(\.signals) == [1, 1])
    }
  }

  @Test("W1, W3: objects of the monitor's argument are not watched and do not count as the first objects")
  func ownObjects() async {
    await #expect(processExitsWith: .success) {
      let scheduler = TestScheduler()
      let exporter = Shared<Exporter?>(nil)
      CoalescingSystem.bootstrap(
        {
          let new = Exporter(on: scheduler)
          exporter.value = new
          return new
        }())
      let event = LazySimpleEvent(on: scheduler, label: "a")
      event.trigger()
      event.trigger()
      scheduler.run()
      precondition(exporter.value?.log.records.map(\.source.label) == ["a"])
      precondition(exporter.value?.exported.value == [2])
    }
  }

  @Test("W1: the monitor of a test replaces that of the process, and several monitors can be combined")
  func scoped() async {
    await #expect(processExitsWith: .success) {
      let (process, first, second) = (MonitorLog(), MonitorLog(), MonitorLog())
      CoalescingSystem.bootstrap(process)
      let scheduler = TestScheduler()
      let event = withCoalescingMonitor(MultiplexCoalescingMonitor(first, second)) {
        LazySimpleEvent(on: scheduler, label: "scoped")
      }
      event.trigger()
      scheduler.run()
      event.trigger()
      event.cancel()
      precondition(process.records.isEmpty)
      precondition(first.entries == second.entries && first.records[0].signals == 2)
    }
  }
}

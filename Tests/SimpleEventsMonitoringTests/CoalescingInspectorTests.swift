import SimpleEvents
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

struct CoalescingInspectorTests {
  private let scheduler = TestScheduler()

  private func makeCallback(
    _ label: String, _ policy: CoalescingPolicy = .nextTurn, block: @escaping @Sendable () -> Void = {}
  ) -> CoalescingCallback {
    CoalescingCallback(on: scheduler, policy: policy, label: label, block: block)
  }

  @Test("CoalescingInspector: a snapshot has each source with its counts, busiest first")
  func snapshot() throws {
    let inspector = CoalescingInspector()
    let (idle, quiet, busy) = withCoalescingMonitor(inspector) {
      (makeCallback("idle"), makeCallback("quiet", .debounce(.milliseconds(100))), makeCallback("busy"))
    }
    for _ in 1...3 {
      busy.schedule()
      busy.schedule()
      scheduler.run()
    }
    quiet.schedule()
    scheduler.advance(by: .milliseconds(40))
    quiet.schedule()
    let snapshot = inspector.snapshot()
    #expect(snapshot.map(\.source.label) == ["busy", "quiet", "idle"])
    #expect(snapshot.map(\.statistics.deliveryCount) == [3, 0, 0])
    #expect(snapshot.map(\.statistics.signalCount) == [6, 2, 0])
    #expect(snapshot.map(\.statistics.pendingTime) == [nil, .milliseconds(40), nil])
    #expect(snapshot[1].source.policy == .debounce(.milliseconds(100)))
    #expect(snapshot[1].source.schedulerName == "TestScheduler")
    #expect(snapshot[1].source.site?.line != nil)
    withExtendedLifetime((idle, quiet, busy)) {}
  }

  @Test("CoalescingInspector: a snapshot is taken during a delivery, and shows it in progress")
  func running() throws {
    let inspector = CoalescingInspector()
    let during = Guarded<CoalescingStatistics?>(nil)
    let callback = withCoalescingMonitor(inspector) {
      makeCallback("a") { [scheduler] in
        during.withLock { $0 = inspector.snapshot().first?.statistics }
        _ = scheduler
      }
    }
    callback.schedule()
    callback.schedule()
    scheduler.run()
    let statistics = try #require(during.withLock { $0 })
    #expect(statistics.runningSignalCount == 2)
    #expect(statistics.runningTime == .zero)
    #expect(statistics.deliveryCount == 0)
    #expect(inspector.snapshot().first?.statistics.runningTime == nil)
    #expect(inspector.snapshot().first?.statistics.deliveryCount == 1)
  }

  @Test("CoalescingInspector: ended sources are kept up to the limit, and sums stay exact", arguments: 0...4)
  func ended(_ limit: Int) {
    let inspector = CoalescingInspector(capacity: limit)
    withCoalescingMonitor(inspector) {
      for number in 1...4 {
        let callback = makeCallback("\(number)")
        for _ in 1...number { callback.schedule() }
        if number != 3 { scheduler.run() }
      }
    }
    let snapshot = inspector.snapshot()
    #expect(Set(snapshot.map(\.source.label)) == Set((1...4).suffix(limit).map { "\($0)" }))
    #expect(snapshot.allSatisfy { $0.statistics.isEnded })
    #expect(snapshot.forgottenCount == 4 - limit)
    #expect(snapshot.forgotten.signalCount == (1...4).dropLast(limit).reduce(0, +))
    #expect(snapshot.total.signalCount == 10)
    #expect(snapshot.total.deliveryCount == 3)
    #expect(snapshot.total.discardedSignalCount == 3)
  }

  @Test("CoalescingInspector: keeps neither forgotten sources nor objects alive")
  func memory() {
    let inspector = CoalescingInspector(capacity: 1)
    weak var callback: CoalescingCallback?
    weak var source: CoalescingSource?
    withCoalescingMonitor(inspector) {
      do {
        let first = makeCallback("first")
        callback = first
        source = inspector.snapshot().first?.source
      }
      #expect(callback == nil)
      #expect(source != nil)
      _ = makeCallback("second")
    }
    #expect(source == nil)
    #expect(inspector.snapshot().map(\.source.label) == ["second"])
  }
}

import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// W1 to W4 for all types that deliver by a policy, in virtual time.
struct MonitorTests {
  private let scheduler = TestScheduler()
  private let log = MonitorLog()

  /// Creates an object that the log watches.
  private func watched<Object>(_ make: () -> Object) -> Object {
    withCoalescingMonitor(log) { make() }
  }

  @Test("W4: a source has the name, the rule and the place of its object")
  func source() throws {
    let line = #line + 1
    let event = watched { LazySimpleEvent(on: scheduler, policy: .audit(.milliseconds(10)), label: "title") }
    let source = try #require(log.records.first?.source)
    #expect(source.label == "title")
    #expect("\(source.type)" == "LazySimpleEvent")
    #expect(source.policy == .audit(.milliseconds(10)))
    #expect(source.site?.line == UInt(line))
    #expect(source.schedulerName == "TestScheduler")
    #expect("\(source)" == "LazySimpleEvent \"title\"")
    withExtendedLifetime(event) {}
  }

  @Test("W2: a delivery is reported with its signals, its first instant, its start and its cause")
  func deliveries() {
    let event = watched { LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(10)), label: "a") }
    for time in [0, 5, 12] { scheduler.at(time) { event.trigger() } }
    scheduler.at(40) {
      event.trigger()
      event.trigger()
      event.flush()
    }
    scheduler.at(50) { event.flush() }
    scheduler.run()
    #expect(
      log.entries == [
        "created LazySimpleEvent \"a\"", "3 since 0 at 22, deadline", "2 since 40 at 40, flush",
      ])
  }

  @Test(
    "W2: signals during a delivery belong to the next delivery",
    arguments: Policies.all.filter { $0.edges != .leading })
  func during(_ policy: CoalescingPolicy) {
    let event = watched { LazySimpleEvent(on: scheduler, policy: policy) }
    var rounds = 3
    let token = event.addObserver { event in
      rounds -= 1
      if rounds > 0, let event = event as? LazySimpleEvent {
        event.trigger()
        event.trigger()
      }
    }
    event.trigger()
    event.flush()
    scheduler.run()
    #expect(log.records[0].deliveries.map(\.signalCount) == [1, 2, 2])
    withExtendedLifetime(token) {}
  }

  @Test("W2: signals that a policy ignores are not counted")
  func ignored() {
    let callback = watched {
      CoalescingCallback(on: scheduler, policy: .throttle(.milliseconds(10), edges: .leading)) {}
    }
    for time in [0, 1, 2, 20] { scheduler.at(time) { callback.schedule() } }
    scheduler.run()
    #expect(log.entries.dropFirst() == ["1 since 0 at 0, turn", "1 since 20 at 20, turn"])
  }

  @Test("W2: signals that are pending at a cancel, a removal or a deallocation are counted")
  func discarded() {
    var callback: CoalescingCallback? = watched { CoalescingCallback(on: scheduler) {} }
    let source = SimpleEvent()
    let proxy = watched { SimpleEventProxy(of: source, on: scheduler) }
    callback?.schedule()
    callback?.schedule()
    callback?.cancel()
    callback?.cancel()
    callback?.schedule()
    callback = nil
    source.trigger()
    proxy.trigger()
    proxy.remove()
    proxy.trigger()
    #expect(
      log.entries == [
        "created \(log.records[0].source)", "created \(log.records[1].source)", "discarded 2", "ended 1",
        "ended 2",
      ])
    #expect(log.faults == [])
  }

  @Test("W2: a source that ends inside its own delivery ends after the delivery")
  func endsInside() {
    let proxy = watched { SimpleEventProxy(of: [], on: scheduler) }
    let token = proxy.addObserver { proxy in
      (proxy as? SimpleEventProxy)?.trigger()
      (proxy as? SimpleEventProxy)?.remove()
    }
    proxy.trigger()
    scheduler.run()
    #expect(log.entries.dropFirst() == ["1 since 0 at 0, turn", "ended 1"])
    #expect(log.faults == [])
    withExtendedLifetime(token) {}
  }

  @Test("W2: a delivery is reported with the number of dropped elements")
  func dropped() {
    let collector = watched { CoalescingCollector<Int>(on: scheduler, keeping: .newest(2)) { _ in } }
    collector.add(contentsOf: [1, 2, 3])
    collector.add(4)
    scheduler.run()
    #expect(log.entries.dropFirst() == ["2 since 0 at 0, turn, 2 dropped"])
  }

  @Test("W4: a group observer is a source of its own type")
  func group() {
    let events = [SimpleEvent(), SimpleEvent()]
    let group = watched { SimpleEventGroupObserver(of: events, on: scheduler) { _ in } }
    for event in events + events { event.trigger() }
    scheduler.run()
    group.remove()
    #expect("\(log.records[0].source.type)" == "SimpleEventGroupObserver")
    #expect(log.entries.dropFirst() == ["4 since 0 at 0, turn", "ended 0"])
  }

  @Test("W4: an event that notifies immediately is not a source, and neither is a mailbox")
  func withoutDelay() throws {
    let event = watched { SimpleEvent() }
    event.trigger()
    let box = watched { SimpleMailbox<Int>() }
    box.replace(1)
    let value = try scheduler.run { await withCoalescingMonitor(log) { await box.next() } }
    #expect(value == 1)
    #expect(log.entries == [])
  }

  @Test("S7, W2: signals that a scheduler loses are counted")
  func lost() {
    actor Owner {}
    var owner: Owner? = Owner()
    let callback = watched {
      CoalescingCallback(on: .actor(owner!, clock: scheduler), policy: .audit(.milliseconds(10))) {}
    }
    callback.schedule()
    callback.schedule()
    owner = nil
    scheduler.run()
    #expect(log.entries.dropFirst() == ["discarded 2"])
    #expect(log.records[0].source.statistics.discardedSignalCount == 2)
  }

  @Test("W1: an object that was created without a monitor is never reported")
  func unseen() {
    let event = LazySimpleEvent(on: scheduler)
    withCoalescingMonitor(log) {
      event.trigger()
      scheduler.run()
    }
    #expect(log.entries == [])
  }

  @Test("W3: a monitor that keeps sources is released once their objects have ended")
  func monitorIsReleased() {
    var event: LazySimpleEvent?
    weak var monitor: MonitorLog?
    do {
      let log = MonitorLog()
      monitor = log
      event = withCoalescingMonitor(log) { LazySimpleEvent(on: scheduler) }
    }
    event?.trigger()
    scheduler.run()
    #expect(monitor?.records.first?.deliveries.count == 1)
    event = nil
    #expect(monitor == nil)
  }

  @Test("W2: statistics are exact at every instant")
  func statistics() throws {
    let event = watched { LazySimpleEvent(on: scheduler, policy: .audit(.milliseconds(10))) }
    let source = try #require(log.records.first?.source)
    let token = event.addObserver { [log] _ in
      let statistics = log.records[0].source.statistics
      #expect(statistics.runningSignalCount == 2 && statistics.runningSince == .ms(10))
      #expect(statistics.pendingSignalCount == 0 && statistics.deliveryCount == 0)
    }
    event.trigger()
    scheduler.at(3) { event.trigger() }
    scheduler.advance(toMilliseconds: 5)
    #expect(source.statistics.pendingSignalCount == 2 && source.statistics.pendingSince == .ms(0))
    #expect(source.statistics.now == .ms(5))
    scheduler.run()
    let statistics = source.statistics
    #expect(statistics.signalCount == 2 && statistics.deliveredSignalCount == 2)
    #expect(statistics.deliveryCount == 1)
    #expect(statistics.longestLatency == .milliseconds(10) && statistics.totalLatency == .milliseconds(10))
    #expect(statistics.pendingSince == nil && statistics.runningSince == nil)
    #expect(statistics.signalsPerDelivery == 2 && !statistics.isEnded)
    withExtendedLifetime(token) {}
  }
}

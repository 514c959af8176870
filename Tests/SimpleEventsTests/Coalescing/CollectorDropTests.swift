import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C9: the elements that `onDrop` receives.
struct CollectorDropTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  private func collector(
    _ policy: CoalescingPolicy = .nextTurn, keeping limit: ElementLimit<Int>
  ) -> CoalescingCollector<Int> {
    CoalescingCollector(
      on: scheduler, policy: policy, keeping: limit, onDrop: { [log] in log.add("drop \($0)") }
    ) { [log] batch in log.add("\(Array(batch)) \(batch.droppedCount)") }
  }

  @Test("C9: onDrop receives the oldest elements that .newest displaces, in order, during the addition")
  func newest() {
    let collector = collector(keeping: .newest(2))
    for number in 1...3 { collector.add(number) }
    #expect(log.entries == ["drop 1"])
    collector.add(contentsOf: 4...6)
    scheduler.run()
    #expect(log.entries == ["drop 1", "drop 2", "drop 3", "drop 4", "[5, 6] 4"])
  }

  @Test("C9: onDrop receives the new elements that .oldest and .distinct refuse, and no replaced element")
  func refused() {
    let oldest = collector(keeping: .oldest(1))
    oldest.add(1)
    oldest.add(2)
    let distinct = collector(keeping: .distinct(1))
    distinct.add(contentsOf: [3, 4, 3, 5])
    scheduler.run()
    #expect(log.entries == ["drop 2", "drop 4", "drop 5", "[1] 1", "[3] 2"])
    withExtendedLifetime((oldest, distinct)) {}
  }

  @Test("C9: onDrop receives no element that .combined has combined")
  func combined() {
    let collector = collector(keeping: .combined { $0 + $1 })
    collector.add(contentsOf: [1, 2, 4])
    scheduler.run()
    #expect(log.entries == ["[7] 0"])
    withExtendedLifetime(collector) {}
  }

  @Test("C9: onDrop receives an element that the function of .combined adds")
  func addedWhileCombining() {
    let misuses = MisuseLog()
    let itself = Guarded<CoalescingCollector<Int>?>(nil)
    let collector = CoalescingCollector<Int>(
      on: scheduler,
      keeping: .combined { old, new in
        itself.withLock { $0 }?.add(100)
        return old + new
      }, onDrop: { [log] in log.add("drop \($0)") }, misuse: misuses.handler
    ) { [log] batch in log.add("\(Array(batch)) \(batch.droppedCount)") }
    _ = itself.exchange(collector)
    collector.add(contentsOf: [1, 2])
    scheduler.run()
    #expect(log.entries == ["drop 100", "[3] 1"])
    #expect(misuses.kinds == [.addedWhileCombining])
    _ = itself.exchange(nil)
  }

  @Test("C9: onDrop receives the elements that a leading-only policy ignores, with every rule for elements")
  func ignored() {
    let rules: [ElementLimit<Int>] = [.newest(2), .oldest(2), .distinct(2), .combined { $0 + $1 }]
    for rule in rules {
      let log = Log()
      let collector = CoalescingCollector(
        on: scheduler, policy: .throttle(.milliseconds(10), edges: .leading), keeping: rule,
        onDrop: { log.add("drop \($0)") }
      ) { log.add("\(Array($0))") }
      collector.add(1)
      scheduler.advance()
      collector.add(2)
      collector.add(contentsOf: [3, 4])
      #expect(log.entries == ["[1]", "drop 2", "drop 3", "drop 4"])
      withExtendedLifetime(collector) {}
    }
  }

  @Test("C9: onDrop receives all elements of a policy without edges")
  func noEdges() {
    let misuses = MisuseLog()
    let collector = CoalescingCollector<Int>(
      on: scheduler, policy: .throttle(.milliseconds(10), edges: []), keeping: .unlimited,
      onDrop: { [log] in log.add("drop \($0)") }, misuse: misuses.handler
    ) { _ in }
    collector.add(1)
    collector.add(contentsOf: [2, 3])
    #expect(log.entries == ["drop 1", "drop 2", "drop 3"])
    #expect(misuses.kinds == [.noEdges])
  }

  @Test("C7, C9: onDrop receives the elements that cancel discards, in order", arguments: Policies.all)
  func cancelled(_ policy: CoalescingPolicy) {
    let collector = collector(policy, keeping: .newest(3))
    collector.add(contentsOf: 1...4)
    collector.cancel()
    #expect(log.entries == ["drop 1", "drop 2", "drop 3", "drop 4"])
    collector.cancel()
    scheduler.run()
    #expect(log.entries.count == 4)
    #expect(collector.count == 0)
  }

  @Test("C9: onDrop receives the elements that are queued at the deallocation", arguments: Policies.all)
  func deallocated(_ policy: CoalescingPolicy) {
    do {
      let collector = collector(policy, keeping: .unlimited)
      collector.add(contentsOf: 1...2)
      #expect(log.entries == [] && collector.count == 2)
    }
    #expect(log.entries == ["drop 1", "drop 2"])
    scheduler.run()
    #expect(log.entries == ["drop 1", "drop 2"])
  }

  @Test("C9, S7: onDrop receives the elements that the loss of the scheduler discards")
  func lost() {
    let scheduler = ForgetfulScheduler()
    let collector = CoalescingCollector<Int>(
      on: scheduler, keeping: .unlimited, onDrop: { [log] in log.add("drop \($0)") }
    ) { _ in }
    collector.add(1)
    #expect(log.entries == [] && collector.count == 1)
    scheduler.forget()
    #expect(log.entries == ["drop 1"] && !collector.isPending && collector.count == 0)
  }

  @Test("C9: onDrop receives no element that is delivered by a turn, a deadline or a flush")
  func delivered() {
    let collector = collector(.throttle(.milliseconds(10)), keeping: .newest(2))
    collector.add(1)
    scheduler.advance()
    collector.add(2)
    scheduler.advance(by: .milliseconds(10))
    collector.add(3)
    collector.flush()
    #expect(log.entries == ["[1] 0", "[2] 0", "[3] 0"])
  }

  @Test("C9, H5: onDrop may add, cancel and flush")
  func reentrant() {
    let itself = Guarded<CoalescingCollector<Int>?>(nil)
    let collector = CoalescingCollector<Int>(
      on: scheduler, policy: .debounce(.milliseconds(10)), keeping: .oldest(1),
      onDrop: { [log] element in
        log.add("drop \(element)")
        guard let collector = itself.withLock({ $0 }) else { return }
        switch element {
        case 2: collector.flush()
        case 4: collector.cancel()
        default: collector.add(element * 10)
        }
      }
    ) { [log] batch in log.add("\(Array(batch)) \(batch.droppedCount)") }
    _ = itself.exchange(collector)
    collector.add(1)
    collector.add(2)
    #expect(log.entries == ["drop 2", "[1] 1"])
    collector.add(3)
    collector.add(4)
    #expect(log.entries[2...] == ["drop 4", "drop 3"], "cancel discards 3, and 30 is added")
    scheduler.run()
    #expect(log.entries.last == "[30] 0")
    _ = itself.exchange(nil)
  }

  @Test("C9, E6: the function onDrop is released with the collector, and does not keep it alive")
  func released() {
    var isReleased = false
    weak var weakCollector: CoalescingCollector<Int>?
    do {
      let canary = Canary { isReleased = true }
      nonisolated(unsafe) let captured = canary
      let collector = CoalescingCollector<Int>(
        on: scheduler, keeping: .newest(1), onDrop: { _ in withExtendedLifetime(captured) {} }
      ) { _ in }
      weakCollector = collector
      collector.add(1)
    }
    #expect(weakCollector == nil && isReleased)
  }

  @Test("W2: the signals of dropped elements add up for a monitor")
  func monitored() throws {
    let monitor = MonitorLog()
    withCoalescingMonitor(monitor) {
      let collector = collector(keeping: .newest(2))
      collector.add(contentsOf: 1...3)
      collector.add(4)
      scheduler.run()
      collector.add(5)
      collector.cancel()
      collector.add(6)
    }
    let record = try #require(monitor.records.first)
    #expect(record.signals == 4 && monitor.faults == [])
    #expect(record.deliveries.map(\.droppedCount) == [2])
    #expect(log.entries == ["drop 1", "drop 2", "[3, 4] 2", "drop 5", "drop 6"])
  }

  @Test("C9: onDrop may add an element to .combined")
  func addedToCombined() {
    let misuses = MisuseLog()
    let itself = Guarded<CoalescingCollector<Int>?>(nil)
    let collector = CoalescingCollector<Int>(
      on: scheduler, policy: .throttle(.milliseconds(10), edges: .leading), keeping: .combined { $0 + $1 },
      onDrop: { [log] element in
        log.add("drop \(element)")
        guard element == 2, let collector = itself.withLock({ $0 }) else { return }
        collector.cancel()
        collector.add(20)
      }, misuse: misuses.handler
    ) { [log] batch in log.add("\(Array(batch)) \(batch.droppedCount)") }
    _ = itself.exchange(collector)
    collector.add(1)
    scheduler.run()
    collector.add(2)
    scheduler.run()
    #expect(log.entries == ["[1] 0", "drop 2", "[20] 0"])
    #expect(misuses.kinds == [])
    _ = itself.exchange(nil)
  }

  @Test("C9, K3: onDrop may add a combined element to another key")
  func addedToCombinedKey() {
    let misuses = MisuseLog()
    let itself = Guarded<KeyedCollector<String, Int>?>(nil)
    let collector = KeyedCollector<String, Int>(
      on: scheduler, policy: .throttle(.milliseconds(10), edges: .leading), keeping: .combined { $0 + $1 },
      onDrop: { _, element in itself.withLock { $0 }?.add(element, for: "dropped") }, misuse: misuses.handler
    ) { [log] key, batch in log.add("\(key) \(Array(batch))") }
    _ = itself.exchange(collector)
    collector.add(1, for: "a")
    scheduler.advance(by: .milliseconds(1))
    collector.add(1, for: "a")
    collector.add(2, for: "a")
    scheduler.run()
    #expect(log.entries == ["a [1]", "dropped [3]"])
    #expect(misuses.kinds == [])
    _ = itself.exchange(nil)
  }
}

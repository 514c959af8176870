import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C9: the rule that combines elements, and the rule that keeps all elements.
struct CollectorRuleTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  private func sum(
    _ policy: CoalescingPolicy = .nextTurn, misuse: MisuseHandler = .trap
  ) -> CoalescingCollector<Int> {
    CoalescingCollector(on: scheduler, policy: policy, keeping: .combined { $0 + $1 }, misuse: misuse) {
      [log] batch in log.add("\(Array(batch)) \(batch.droppedCount)")
    }
  }

  @Test("C9: a combining collector delivers one element, combined in the order of the additions")
  func order() {
    let collector = CoalescingCollector<String>(on: scheduler, keeping: .combined { $0 + $1 }) {
      [log] batch in
      log.add("\(Array(batch)) \(batch.droppedCount)")
    }
    collector.add("a")
    collector.add(contentsOf: ["b", "c"])
    scheduler.run()
    collector.add("d")
    scheduler.run()
    #expect(log.entries == [#"["abc"] 0"#, #"["d"] 0"#])
  }

  @Test("C9: a combining function may discard either element", arguments: [true, false])
  func throwAway(_ keepsOld: Bool) {
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .combined { keepsOld ? $0 : $1 }) {
      [log] batch in log.add("\(Array(batch)) \(batch.droppedCount)")
    }
    for number in 1...3 { collector.add(number) }
    scheduler.run()
    #expect(log.entries == [keepsOld ? "[1] 0" : "[3] 0"])
  }

  @Test("C9: an element that is added by the combining function is flagged, dropped and counted")
  func reentrant() {
    let misuses = MisuseLog()
    let itself = Guarded<CoalescingCollector<Int>?>(nil)
    let collector = CoalescingCollector<Int>(
      on: scheduler,
      keeping: .combined { old, new in
        itself.withLock { $0 }?.add(100)
        return old + new
      }, label: "sum", misuse: misuses.handler
    ) { [log] batch in log.add("\(Array(batch)) \(batch.droppedCount)") }
    _ = itself.exchange(collector)
    collector.add(1)
    collector.add(2)
    collector.add(3)
    scheduler.run()
    #expect(log.entries == ["[6] 2"])
    #expect(misuses.kinds == [.addedWhileCombining, .addedWhileCombining])
    #expect(misuses.messages.first?.contains("CoalescingCollector<Int> \"sum\"") == true)
    _ = itself.exchange(nil)
  }

  @Test("C7, C9: cancel discards the combined element, and flush delivers it")
  func control() {
    let collector = sum(.debounce(.milliseconds(10)))
    collector.add(1)
    collector.cancel()
    #expect(!collector.isPending)
    collector.add(2)
    collector.add(3)
    collector.flush()
    scheduler.run()
    #expect(log.entries == ["[5] 0"])
  }

  @Test("C9: a combining collector counts the elements that a leading-only policy ignores")
  func ignored() {
    let collector = sum(.throttle(.milliseconds(10), edges: .leading))
    for (instant, number) in [(0, 1), (5, 2), (20, 4)] { scheduler.at(instant) { collector.add(number) } }
    scheduler.run()
    #expect(log.entries == ["[1] 0", "[4] 1"])
  }

  @Test("C9: elements that several threads add are combined once each")
  func threads() {
    let collector = sum()
    let rounds = Stress.rounds(20_000)
    onThreads(2) { _ in for _ in 0..<rounds { collector.add(1) } }
    scheduler.run()
    #expect(log.entries == ["[\(2 * rounds)] 0"])
  }

  @Test("C9: an unlimited collector keeps all elements")
  func unlimited() {
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .unlimited) { [log] batch in
      log.add("\(batch.count) \(batch.first ?? -1) \(batch.last ?? -1) \(batch.droppedCount)")
    }
    for number in 0..<1000 { collector.add(number) }
    collector.add(contentsOf: 1000..<5000)
    scheduler.run()
    #expect(log.entries == ["5000 0 4999 0"])
  }

  @Test(
    "C9: an element that a leading-only policy ignores is in no batch, whatever the rule",
    arguments: [0, 1, 2])
  func ignoredByRule(_ rule: Int) {
    let limit: ElementLimit<Int> = [.newest(1), .oldest(1), .distinct(1)][rule]
    let collector = CoalescingCollector(
      on: scheduler, policy: .throttle(.milliseconds(10), edges: .leading), keeping: limit
    ) { [log] batch in log.add("\(Array(batch)) \(batch.droppedCount)") }
    for (instant, number) in [(0, 1), (5, 2), (20, 3)] { scheduler.at(instant) { collector.add(number) } }
    scheduler.run()
    #expect(log.entries == ["[1] 0", "[3] 1"])
  }

  @Test("C5, C9: an element before the leading delivery has started is part of it")
  func beforeLeadingDelivery() {
    let collector = CoalescingCollector<Int>(
      on: scheduler, policy: .debounce(.milliseconds(10), edges: .leading), keeping: .unlimited
    ) { [log] batch in log.add("\(Array(batch)) \(batch.droppedCount)") }
    collector.add(1)
    collector.add(contentsOf: [2, 3])
    #expect(collector.isPending)
    scheduler.run()
    #expect(log.entries == ["[1, 2, 3] 0"])
  }

  @Test("E8: a group observer reports the events that a leading-only policy ignored")
  func groupObserver() {
    let events = (0..<3).map { SimpleEvent(label: "\($0)") }
    let group = SimpleEventGroupObserver(
      of: events, on: scheduler, policy: .throttle(.milliseconds(10), edges: .leading)
    ) { [log] fired in log.add(fired.compactMap(\.label).joined(separator: " ")) }
    for (instant, event) in zip([0, 5, 20], events) {
      scheduler.advance(toMilliseconds: instant)
      event.trigger()
    }
    scheduler.run()
    #expect(log.entries == ["0", "1 2"])
    group.remove()
  }

  @Test("C9: a combining function that flushes must not add an element")
  func flushingFunction() {
    let misuses = MisuseLog()
    let itself = Guarded<CoalescingCollector<Int>?>(nil)
    let collector = CoalescingCollector<Int>(
      on: scheduler,
      keeping: .combined { old, new in
        let collector = itself.withLock { $0 }
        collector?.flush()
        collector?.add(100)
        return old + new
      }, misuse: misuses.handler
    ) { [log] batch in log.add("\(Array(batch)) \(batch.droppedCount)") }
    _ = itself.exchange(collector)
    collector.add(1)
    collector.add(2)
    scheduler.run()
    #expect(log.entries == ["[1] 0", "[2] 1"])
    #expect(misuses.kinds == [.addedWhileCombining])
    _ = itself.exchange(nil)
  }
}

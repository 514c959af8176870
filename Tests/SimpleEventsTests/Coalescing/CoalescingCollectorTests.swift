import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C9, C1 and C5 for a collector, in virtual time: the batches and the instants of their delivery.
struct CoalescingCollectorTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  /// Returns a collector that logs each batch as its instant and its elements: `10: 1 2`.
  private func collector(_ policy: CoalescingPolicy = .nextTurn) -> CoalescingCollector<Int> {
    CoalescingCollector(on: scheduler, policy: policy, keeping: .newest(100)) { [scheduler, log] batch in
      log.add("\(scheduler.milliseconds): \(batch.map { "\($0)" }.joined(separator: " "))")
    }
  }

  @Test("C9: a batch has each element once, in the order of addition")
  func order() {
    let collector = collector()
    for element in [3, 1, 2, 1] { collector.add(element) }
    #expect(log.entries == [], "an addition does not call the block")
    scheduler.run()
    #expect(log.entries == ["0: 3 1 2 1"])
    collector.add(4)
    scheduler.run()
    #expect(log.entries == ["0: 3 1 2 1", "0: 4"])
    withExtendedLifetime(collector) {}
  }

  @Test("C9: add(contentsOf:) adds the elements of a sequence in its order")
  func sequence() {
    let collector = collector()
    collector.add(1)
    collector.add(contentsOf: 2...4)
    collector.add(contentsOf: [5])
    scheduler.run()
    #expect(log.entries == ["0: 1 2 3 4 5"])
    withExtendedLifetime(collector) {}
  }

  @Test("C9: the addition of an empty sequence requests no delivery")
  func emptySequence() {
    let collector = collector()
    collector.add(contentsOf: [])
    #expect(!collector.isPending)
    scheduler.run()
    #expect(log.entries == [])
    withExtendedLifetime(collector) {}
  }

  @Test("C9: a batch is a random-access collection with the count of dropped elements")
  func batch() {
    let collector = CoalescingCollector<String>(on: scheduler, keeping: .newest(2)) { [log] batch in
      log.add("\(batch.count) \(batch.droppedCount) \(batch.first ?? "-") \(batch.last ?? "-")")
      log.add(batch[batch.index(batch.startIndex, offsetBy: 1)])
      log.add(batch.reversed().joined())
    }
    collector.add(contentsOf: ["a", "b", "c"])
    scheduler.run()
    #expect(log.entries == ["2 1 b c", "c", "cb"])
    withExtendedLifetime(collector) {}
  }

  @Test("C9: elements added by the block are part of the next batch")
  func additionInBlock() {
    weak var weakCollector: CoalescingCollector<Int>?
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .newest(10)) { [log] batch in
      log.add("\(Array(batch))")
      if batch.first == 1 {
        weakCollector?.add(3)
        weakCollector?.add(4)
      }
      log.add("end")
    }
    weakCollector = collector
    collector.add(1)
    collector.add(2)
    scheduler.run()
    #expect(log.entries == ["[1, 2]", "end", "[3, 4]", "end"])
    withExtendedLifetime(collector) {}
  }

  @Test("C5, C9: elements added before a leading delivery has started are part of it")
  func leadingDelivery() {
    let collector = collector(.throttle(.milliseconds(10)))
    collector.add(1)
    collector.add(2)
    scheduler.run()
    #expect(log.entries == ["0: 1 2"])
    withExtendedLifetime(collector) {}
  }

  @Test(
    "C9: elements that a leading-only policy ignores are part of no batch",
    arguments: [
      CoalescingPolicy.throttle(.milliseconds(10), edges: .leading),
      .debounce(.milliseconds(10), edges: .leading),
    ])
  func leadingOnlyPolicy(_ policy: CoalescingPolicy) {
    let collector = collector(policy)
    for (instant, element) in [(0, 1), (3, 2), (6, 3), (40, 4)] {
      scheduler.at(instant) { collector.add(element) }
    }
    scheduler.run()
    #expect(log.entries == ["0: 1", "40: 4"])
    withExtendedLifetime(collector) {}
  }

  @Test(
    "C9: batches come at the instants that the policy sets",
    arguments: [
      (CoalescingPolicy.nextTurn, ["0: 0", "4: 4", "8: 8", "30: 30"]),
      (.debounce(.milliseconds(10)), ["18: 0 4 8", "40: 30"]),
      (.debounce(.milliseconds(10), maxWait: .milliseconds(12)), ["12: 0 4 8", "40: 30"]),
      (.debounce(.milliseconds(10), edges: [.leading, .trailing]), ["0: 0", "18: 4 8", "30: 30"]),
      (.throttle(.milliseconds(10)), ["0: 0", "10: 4 8", "30: 30"]),
      (.throttle(.milliseconds(10), edges: .trailing), ["10: 0 4 8", "40: 30"]),
      (.audit(.milliseconds(10)), ["10: 0 4 8", "40: 30"]),
    ])
  func followsPolicy(_ policy: CoalescingPolicy, _ expected: [String]) {
    let collector = collector(policy)
    for instant in [0, 4, 8, 30] {
      scheduler.at(instant) { collector.add(instant) }
    }
    scheduler.run()
    #expect(log.entries == expected)
    withExtendedLifetime(collector) {}
  }

  @Test("C8: a collector with a policy without edges is flagged and never delivers")
  func policyWithoutEdges() {
    let misuses = MisuseLog()
    let line: UInt = #line + 1
    let collector = CoalescingCollector<Int>(
      on: scheduler, policy: .throttle(.milliseconds(1), edges: []), keeping: .newest(1), label: "silent",
      misuse: misuses.handler
    ) { [log] _ in log.add("delivered") }
    collector.add(1)
    scheduler.run()
    #expect(log.entries == [])
    #expect(misuses.kinds == [.noEdges])
    #expect(misuses.messages[0].contains("\"silent\""))
    #expect(misuses.all[0].line == line)
    withExtendedLifetime(collector) {}
  }
}

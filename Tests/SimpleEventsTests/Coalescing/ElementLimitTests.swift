import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C9: the elements that a collector keeps up to its limit, and the number of elements that it drops.
struct ElementLimitTests {
  private struct Reading: Equatable {
    var id: Int
    var value: String
  }

  private let scheduler = TestScheduler()
  private let log = Log()

  @Test("C9: .newest keeps the newest elements and counts the older ones as dropped")
  func newest() {
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .newest(3)) { [log] batch in
      log.add("\(Array(batch)) \(batch.droppedCount)")
    }
    collector.add(contentsOf: 1...7)
    scheduler.run()
    #expect(log.entries == ["[5, 6, 7] 4"])
    withExtendedLifetime(collector) {}
  }

  @Test("C9: .oldest keeps the oldest elements and counts the newer ones as dropped")
  func oldest() {
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .oldest(3)) { [log] batch in
      log.add("\(Array(batch)) \(batch.droppedCount)")
    }
    collector.add(contentsOf: 1...7)
    scheduler.run()
    #expect(log.entries == ["[1, 2, 3] 4"])
    withExtendedLifetime(collector) {}
  }

  @Test("C9: a batch of exactly the limit drops nothing, and each batch is counted separately")
  func countsPerBatch() {
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .newest(2)) { [log] batch in
      log.add("\(Array(batch)) \(batch.droppedCount)")
    }
    for batch in [1...2, 1...5, 6...7] {
      collector.add(contentsOf: batch)
      scheduler.run()
    }
    #expect(log.entries == ["[1, 2] 0", "[4, 5] 3", "[6, 7] 0"])
    withExtendedLifetime(collector) {}
  }

  @Test("C9: .distinct delivers equal elements once, at the place of the first of them")
  func distinct() {
    let collector = CoalescingCollector<String>(on: scheduler, keeping: .distinct(10)) { [log] batch in
      log.add("\(batch.joined(separator: " ")), \(batch.droppedCount)")
    }
    collector.add(contentsOf: ["b", "a", "b", "c", "a", "a"])
    scheduler.run()
    #expect(log.entries == ["b a c, 0"])
    collector.add("a")
    scheduler.run()
    #expect(log.entries == ["b a c, 0", "a, 0"], "a delivered element can be added again")
    withExtendedLifetime(collector) {}
  }

  @Test("C9: .distinct by a key path keeps the newest of equal elements at the place of the first")
  func distinctByKeyPath() {
    let collector = CoalescingCollector<Reading>(on: scheduler, keeping: .distinct(10, by: \.id)) {
      [log] batch in
      log.add(batch.map { "\($0.id)\($0.value)" }.joined(separator: " ") + ", \(batch.droppedCount)")
    }
    for (id, value) in [(1, "a"), (2, "a"), (1, "b"), (3, "a"), (1, "c"), (2, "b")] {
      collector.add(Reading(id: id, value: value))
    }
    scheduler.run()
    #expect(log.entries == ["1c 2b 3a, 0"])
    withExtendedLifetime(collector) {}
  }

  @Test("C9: equal elements do not count against the limit of .distinct")
  func distinctLimit() {
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .distinct(2)) { [log] batch in
      log.add("\(batch.count) \(batch.droppedCount)")
    }
    collector.add(contentsOf: [1, 2, 1, 2])
    scheduler.run()
    collector.add(contentsOf: [1, 2, 3, 4])
    scheduler.run()
    #expect(log.entries == ["2 0", "2 2"])
    withExtendedLifetime(collector) {}
  }

  @Test("C9: elements that a leading-only policy ignores are dropped and counted")
  func leadingOnlyPolicy() {
    let policy: CoalescingPolicy = .throttle(.milliseconds(10), edges: .leading)
    let collector = CoalescingCollector<Int>(on: scheduler, policy: policy, keeping: .newest(2)) {
      [log] batch in log.add("\(Array(batch)) \(batch.droppedCount)")
    }
    scheduler.at(0) { collector.add(0) }
    scheduler.at(5) { collector.add(contentsOf: 1...3) }
    scheduler.at(20) { collector.add(4) }
    scheduler.run()
    #expect(log.entries == ["[0] 0", "[4] 3"])
    withExtendedLifetime(collector) {}
  }

  @Test("C9: a limit below one is flagged and taken as one", arguments: [0, -1, Int.min])
  func limitBelowOne(_ limit: Int) {
    let misuses = MisuseLog()
    let line: UInt = #line + 1
    let newest = CoalescingCollector<Int>(on: scheduler, keeping: .newest(limit), misuse: misuses.handler) {
      [log] batch in log.add("newest \(Array(batch)) \(batch.droppedCount)")
    }
    let oldest = CoalescingCollector<Int>(on: scheduler, keeping: .oldest(limit), misuse: misuses.handler) {
      [log] batch in log.add("oldest \(Array(batch)) \(batch.droppedCount)")
    }
    let distinct = CoalescingCollector<Int>(on: scheduler, keeping: .distinct(limit), misuse: misuses.handler)
    {
      [log] batch in log.add("distinct \(batch.count) \(batch.droppedCount)")
    }
    #expect(misuses.kinds == [.limitBelowOne, .limitBelowOne, .limitBelowOne])
    #expect(misuses.messages[0].contains("\(limit)"))
    #expect(misuses.all[0].line == line)
    for collector in [newest, oldest, distinct] { collector.add(contentsOf: 1...3) }
    scheduler.run()
    #expect(log.entries == ["newest [3] 2", "oldest [1] 2", "distinct 1 2"])
    withExtendedLifetime((newest, oldest, distinct)) {}
  }

  @Test("C9: a collector with a huge limit allocates no memory for the limit in advance")
  func hugeLimit() {
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .newest(.max)) { [log] batch in
      log.add("\(Array(batch)) \(batch.droppedCount)")
    }
    collector.add(contentsOf: 1...3)
    scheduler.run()
    #expect(log.entries == ["[1, 2, 3] 0"])
    withExtendedLifetime(collector) {}
  }
}

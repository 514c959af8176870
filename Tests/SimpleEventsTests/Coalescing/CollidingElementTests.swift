import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C9: a collector of distinct elements that all have the same hash value. The collector changes while two
/// elements are compared.
struct CollidingElementTests {
  /// An element that has the same hash value as all others.
  private struct Element: Hashable, Sendable {
    let name: String
    let number: Int
    let onComparison: OnComparison

    static func == (one: Element, other: Element) -> Bool {
      one.onComparison.call()
      return one.name == other.name
    }

    func hash(into hasher: inout Hasher) {}
  }

  /// A closure that the next comparison runs, as if another thread acted during the comparison.
  // SAFETY: only one thread uses the object.
  private final class OnComparison: @unchecked Sendable {
    var action: (() -> Void)?

    func call() {
      let action = action
      self.action = nil
      action?()
    }
  }

  private let scheduler = TestScheduler()
  private let log = Log()
  private let onComparison = OnComparison()
  private let collector: CoalescingCollector<Element>

  init() {
    collector = CoalescingCollector(on: scheduler, keeping: .distinct(10)) { [log] batch in
      log.add(batch.map { "\($0.name)\($0.number)" }.joined(separator: " ") + ", \(batch.droppedCount)")
    }
  }

  private func add(_ name: String, _ number: Int) {
    collector.add(Element(name: name, number: number, onComparison: onComparison))
  }

  @Test("C9: an element does not replace an element of an earlier batch")
  func earlierBatch() {
    add("a", 1)
    onComparison.action = {
      collector.flush()
      add("b", 1)
    }
    add("a", 2)
    scheduler.run()
    #expect(log.entries == ["a1, 0", "b1 a2, 0"])
  }

  @Test("C9: an element does not replace an element that was discarded")
  func discardedBatch() {
    add("a", 1)
    onComparison.action = {
      collector.cancel()
      add("b", 1)
    }
    add("a", 2)
    scheduler.run()
    #expect(log.entries == ["b1 a2, 0"])
  }

  @Test("C9: an element is compared with an element that is added during the comparison")
  func additionDuringComparison() {
    add("a", 1)
    onComparison.action = { add("b", 1) }
    add("b", 2)
    scheduler.run()
    #expect(log.entries == ["a1 b2, 0"])
  }

  @Test("C9: the newest of equal elements keeps the first place, beside others of the same hash value")
  func newest() {
    for (name, number) in [("a", 1), ("b", 1), ("c", 1), ("b", 2), ("a", 2)] { add(name, number) }
    scheduler.run()
    #expect(log.entries == ["a2 b2 c1, 0"])
  }

  @Test("C9: elements of one hash value are distinguished in each of several batches")
  func severalBatches() {
    for number in 1...3 {
      for name in ["a", "b", "a"] { add(name, number) }
      scheduler.run()
    }
    #expect(log.entries == ["a1 b1, 0", "a2 b2, 0", "a3 b3, 0"])
  }
}

import SimpleEvents
import SimpleEventsTesting
import Testing

/// C9: the moments at which a collector releases its elements and the captures of its block.
struct CollectorReleaseTests {
  /// An element whose deallocation is observed through a weak reference or a closure.
  private final class Element: Sendable {
    private let onDeinit: @Sendable () -> Void

    init(_ onDeinit: @escaping @Sendable () -> Void = {}) {
      self.onDeinit = onDeinit
    }

    deinit {
      onDeinit()
    }
  }

  private let scheduler = TestScheduler()

  private func collector(limit: Int = 10) -> CoalescingCollector<Element> {
    CoalescingCollector(on: scheduler, keeping: .newest(limit)) { _ in }
  }

  @Test("C9: a delivered element is released with its batch")
  func delivery() {
    let collector = collector()
    weak var element: Element?
    do {
      let strong = Element()
      element = strong
      collector.add(strong)
    }
    #expect(element != nil)
    scheduler.run()
    #expect(element == nil)
    withExtendedLifetime(collector) {}
  }

  @Test("C9: cancel and deallocation release the elements immediately")
  func cancelAndDeallocation() {
    var collector: CoalescingCollector<Element>? = collector()
    weak var cancelled: Element?
    weak var pending: Element?
    do {
      let strong = Element()
      cancelled = strong
      collector?.add(strong)
    }
    collector?.cancel()
    #expect(cancelled == nil)
    do {
      let strong = Element()
      pending = strong
      collector?.add(strong)
    }
    #expect(pending != nil)
    collector = nil
    #expect(pending == nil)
  }

  @Test("C9: the collector releases dropped elements after its lock is released")
  func overflow() {
    let collector = collector(limit: 1)
    weak var dropped: Element?
    do {
      // The deinitializer uses the collector, and would deadlock under the collector's lock.
      let strong = Element { [weak collector] in _ = collector?.isPending }
      dropped = strong
      collector.add(strong)
    }
    #expect(dropped != nil)
    collector.add(Element { [weak collector] in _ = collector?.isPending })
    #expect(dropped == nil)
    collector.cancel()
    #expect(!collector.isPending)
  }

  @Test("C9: the captures of the block are released with the collector")
  func captures() {
    weak var captured: Element?
    var collector: CoalescingCollector<Int>?
    do {
      let strong = Element()
      captured = strong
      collector = CoalescingCollector(on: scheduler, keeping: .oldest(1)) { _ in
        withExtendedLifetime(strong) {}
      }
    }
    collector?.add(1)
    scheduler.run()
    #expect(captured != nil)
    collector?.add(2)
    collector = nil
    #expect(captured == nil)
  }

  @Test("C9: a batch kept by the block does not change")
  func keptBatch() {
    var kept: [[Int]] = []
    var batches: [AnyRandomAccessCollection<Int>] = []
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .newest(2)) { batch in
      kept.append(Array(batch))
      batches.append(AnyRandomAccessCollection(batch))
    }
    for elements in [[1, 2], [3], [4, 5, 6]] {
      collector.add(contentsOf: elements)
      scheduler.run()
    }
    #expect(kept == [[1, 2], [3], [5, 6]])
    #expect(batches.map(Array.init) == kept)
    withExtendedLifetime(collector) {}
  }
}

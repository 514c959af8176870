import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// C9 and C2 for a collector to which several threads add elements while a queue delivers.
@Suite(.serialized) struct CollectorThreadTests {
  private static let threads = 4

  private struct Element: Hashable {
    var thread: Int
    var number: Int
  }

  /// The elements of all batches, and the sum of the batches' counts of dropped elements.
  private final class Deliveries: Sendable {
    private let state: Mutex<(elements: [Element], droppedCount: Int)> = Mutex(([], 0))

    var elements: [Element] { state.withLock { $0.elements } }
    var droppedCount: Int { state.withLock { $0.droppedCount } }

    func add(_ elements: some Collection<Element>, droppedCount: Int) {
      let elements = Array(elements)
      state.withLock { state in
        state.elements += elements
        state.droppedCount += droppedCount
      }
    }

    /// Returns the numbers of the elements of one thread, in the order of their delivery.
    func numbers(ofThread thread: Int) -> [Int] {
      elements.filter { $0.thread == thread }.map(\.number)
    }
  }

  private let queue = DispatchQueue(label: "collector")

  /// Adds elements from several threads at the same time, and delivers the remaining ones.
  private func addAll(to collector: CoalescingCollector<Element>, count: Int) {
    onThreads(Self.threads) { thread in
      for number in 0..<count { collector.add(Element(thread: thread, number: number)) }
    }
    queue.sync { collector.flush() }
    #expect(!collector.isPending)
  }

  @Test("C9: each element is delivered exactly once, in the order of its thread")
  func exactlyOnce() {
    let count = Stress.rounds(50_000)
    let deliveries = Deliveries()
    let collector = CoalescingCollector<Element>(on: queue, keeping: .newest(.max)) { batch in
      deliveries.add(batch, droppedCount: batch.droppedCount)
    }
    addAll(to: collector, count: count)
    #expect(deliveries.droppedCount == 0)
    for thread in 0..<Self.threads {
      let numbers = deliveries.numbers(ofThread: thread)
      #expect(numbers == Array(0..<count))
    }
  }

  @Test("C9: each element is either delivered once or counted as dropped")
  func droppedElements() {
    let count = Stress.rounds(50_000)
    let deliveries = Deliveries()
    let collector = CoalescingCollector<Element>(on: queue, keeping: .newest(3)) { batch in
      #expect(batch.count <= 3)
      deliveries.add(batch, droppedCount: batch.droppedCount)
    }
    addAll(to: collector, count: count)
    #expect(deliveries.elements.count + deliveries.droppedCount == Self.threads * count)
    #expect(Set(deliveries.elements).count == deliveries.elements.count)
  }

  @Test("C9: of equal elements the newest is delivered last")
  func distinctElements() {
    let count = Stress.rounds(50_000)
    let deliveries = Deliveries()
    let collector = CoalescingCollector<Element>(on: queue, keeping: .distinct(Self.threads, by: \.thread)) {
      batch in
      deliveries.add(batch, droppedCount: batch.droppedCount)
    }
    addAll(to: collector, count: count)
    #expect(deliveries.droppedCount == 0)
    for thread in 0..<Self.threads {
      let numbers = deliveries.numbers(ofThread: thread)
      #expect(numbers == numbers.sorted())
      #expect(Set(numbers).count == numbers.count)
      #expect(numbers.last == count - 1)
    }
  }
}

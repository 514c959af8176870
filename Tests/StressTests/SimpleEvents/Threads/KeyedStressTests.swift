import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// K1, K2, C2 and C9 for keyed objects on queues, while several threads signal, cancel and flush.
@Suite(.serialized) struct KeyedStressTests {
  /// The data of the keys, and the block that reads them.
  // SAFETY: `@unchecked`, because deliveries do not overlap (K1), so no two threads access `plainCount` at
  // the same time. The thread sanitizer checks this.
  private final class Board: @unchecked Sendable {
    /// For each key, the number of the latest request. It is written before the request. The ordering is
    /// relaxed, because the request alone orders the write.
    let written: [Cell]
    /// For each key, the number that the latest delivery has read.
    let seen: [Cell]
    let inside: Atomic<Int> = Atomic(0)
    let overlaps: Atomic<Int> = Atomic(0)
    var plainCount: Int = 0

    final class Cell: Sendable {
      let value: Atomic<Int> = Atomic(0)
    }

    init(keys: Int) {
      written = (0..<keys).map { _ in Cell() }
      seen = (0..<keys).map { _ in Cell() }
    }

    func run(_ key: Int) {
      if inside.wrappingAdd(1, ordering: .relaxed).oldValue != 0 {
        overlaps.wrappingAdd(1, ordering: .relaxed)
      }
      plainCount += 1
      seen[key].value.store(written[key].value.load(ordering: .relaxed), ordering: .relaxed)
      inside.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Whether the latest request of each key has been seen.
    var isSeen: Bool {
      zip(written, seen).allSatisfy { $0.value.load(ordering: .relaxed) == $1.value.load(ordering: .relaxed) }
    }
  }

  /// The policies that deliver each signal, with short windows.
  static let policies: [CoalescingPolicy] = [
    .nextTurn, .debounce(.microseconds(2)), .debounce(.microseconds(2), maxWait: .microseconds(5)),
    .debounce(.microseconds(2), edges: [.leading, .trailing]), .throttle(.microseconds(2)),
    .throttle(.microseconds(2), edges: .trailing), .audit(.microseconds(2)),
  ]

  /// The policies that ignore signals in a window.
  static let leadingPolicies: [CoalescingPolicy] = [
    .debounce(.microseconds(2), edges: .leading), .throttle(.microseconds(2), edges: .leading),
  ]

  @Test(
    "C2, K1: no request of a key is lost, and no two deliveries overlap", arguments: policies, [false, true])
  func requests(_ policy: CoalescingPolicy, _ isConcurrent: Bool) {
    let queue = DispatchQueue(label: "keyed", attributes: isConcurrent ? .concurrent : [])
    for course in 0..<Stress.rounds(2000) / 100 {
      let board = Board(keys: 4)
      let callback = KeyedCallback<Int>(on: queue, policy: policy) { board.run($0) }
      onThreads(4) { thread in
        var random = SeededGenerator(seed: UInt64(4 * course + thread))
        for number in 1...200 {
          // Each thread has a key of its own, and all threads signal a common key.
          board.written[thread].value.store(number, ordering: .relaxed)
          callback.schedule(thread)
          switch Int.random(in: 0..<16, using: &random) {
          case 0: queue.async { callback.flush(thread) }
          case 1: queue.async { callback.flushAll() }
          case 2: _ = callback.pendingCount
          case 3: callback.schedule(3)
          default: break
          }
        }
      }
      while callback.pendingCount > 0 { queue.sync(flags: .barrier) {} }
      queue.sync(flags: .barrier) {}
      #expect(board.isSeen, "course \(course)")
      #expect(board.overlaps.load(ordering: .relaxed) == 0)
      #expect(board.plainCount >= 4)
    }
  }

  @Test(
    "K1, K2: no key is left after threads cancel", arguments: policies + leadingPolicies, [false, true])
  func cancellations(_ policy: CoalescingPolicy, _ isConcurrent: Bool) {
    let queue = DispatchQueue(label: "keyed", attributes: isConcurrent ? .concurrent : [])
    for course in 0..<Stress.rounds(2000) / 100 {
      let board = Board(keys: 64)
      let callback = KeyedCallback<Int>(on: queue, policy: policy) { board.run($0) }
      onThreads(4) { thread in
        var random = SeededGenerator(seed: UInt64(4 * course + thread))
        for _ in 0..<500 {
          let key = Int.random(in: 0..<64, using: &random)
          switch Int.random(in: 0..<64, using: &random) {
          case 0: callback.cancelAll()
          case 1: queue.async { callback.flush(key) }
          case 2..<8: callback.cancel(key)
          case 8: _ = callback.isPending(key)
          default: callback.schedule(key)
          }
        }
      }
      callback.cancelAll()
      queue.sync(flags: .barrier) {}
      #expect(callback.pendingCount == 0)
      #expect(callback.keys.entryCount == 0)
      #expect(board.overlaps.load(ordering: .relaxed) == 0)
    }
  }

  @Test(
    "C9, K1: each element of a key is delivered or given to onDrop, once and in order",
    arguments: [
      CoalescingPolicy.nextTurn, .audit(.microseconds(2)), .throttle(.microseconds(2), edges: .leading),
    ],
    [1, 3])
  func elements(_ policy: CoalescingPolicy, _ batchSize: Int) {
    let queue = DispatchQueue(label: "keyed")
    for course in 0..<Stress.rounds(2000) / 100 {
      let delivered = Shared<[Int: [Int]]>([:])
      let dropped = Shared<[Int: [Int]]>([:])
      let collector = KeyedCollector<Int, Int>(
        on: queue, policy: policy, keeping: .newest(4), batchSize: batchSize == 1 ? .max : batchSize,
        onDrop: { key, element in dropped.change { $0[key, default: []].append(element) } }
      ) { key, batch in
        delivered.change { $0[key, default: []] += batch }
      }
      onThreads(4) { thread in
        var random = SeededGenerator(seed: UInt64(4 * course + thread))
        for number in 0..<300 {
          collector.add(number, for: thread)
          switch Int.random(in: 0..<32, using: &random) {
          case 0: collector.cancel(thread)
          case 1: queue.async { collector.flush(thread) }
          default: break
          }
        }
      }
      queue.sync {}
      collector.cancelAll()
      queue.sync {}
      for thread in 0..<4 {
        let elements = delivered.value[thread, default: []]
        #expect(elements == elements.sorted())
        #expect((elements + dropped.value[thread, default: []]).sorted() == Array(0..<300))
      }
    }
  }

  @Test(
    "E6: an owner that is released on another thread delivers nothing that is still queued",
    arguments: [false, true])
  func release(_ isConcurrent: Bool) {
    let queue = DispatchQueue(label: "keyed", attributes: isConcurrent ? .concurrent : [])
    for _ in 0..<Stress.rounds(2000) {
      let board = Board(keys: 4)
      let owner = Shared<KeyedCallback<Int>?>(nil)
      owner.value = KeyedCallback(on: queue, policy: .audit(.microseconds(1))) { [owner] key in
        board.run(key)
        if key == 2 { owner.value = nil }
      }
      for key in 0..<4 { owner.value?.schedule(key) }
      owner.value = nil
      queue.sync(flags: .barrier) {}
      #expect(board.overlaps.load(ordering: .relaxed) == 0)
    }
  }
}

import Dispatch
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

/// Batch loops on real queues, with additions from several threads.
@Suite(.serialized) struct BatchStressTests {
  private struct Failure: Error {}

  /// The elements that were saved. Some saves fail.
  // SAFETY: `@unchecked`, because runs do not overlap (L1), so no two threads access the elements at the same
  // time. The thread sanitizer checks this.
  private final class Store: @unchecked Sendable {
    private(set) var saved: [Int] = []
    private(set) var dropped: Int = 0
    private var count: Int = 0

    func save(_ batch: ElementBatch<Int>) async throws {
      count += 1
      await Task.yield()
      if count % 3 == 0 { throw Failure() }
      saved += batch
      dropped += batch.droppedCount
    }
  }

  private func add(_ perThread: Int, to loop: BatchLoop<Int>) async {
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask { for number in 0..<perThread { loop.add(thread * 1_000_000 + number) } }
      }
    }
  }

  private func expectOrder(_ saved: [Int]) {
    for thread in 0..<4 {
      let own = saved.filter { $0 / 1_000_000 == thread }
      #expect(own == own.sorted())
    }
    #expect(Set(saved).count == saved.count)
  }

  @Test(
    "L9: elements of several threads are saved once, in order, although some saves fail",
    arguments: [CoalescingPolicy.nextTurn, .throttle(.microseconds(50)), .audit(.microseconds(20))])
  func failures(_ policy: CoalescingPolicy) async {
    let store = Store()
    let loop = BatchLoop<Int>(
      on: DispatchQueue(label: "concurrent", attributes: .concurrent), policy: policy, keeping: .unlimited,
      retry: .constant(.microseconds(10))
    ) {
      try await store.save($0)
    } onError: { _, _ in
    }
    let perThread = Stress.rounds(20_000) / 4
    await add(perThread, to: loop)
    await loop.settle()
    #expect(store.saved.count == 4 * perThread && store.dropped == 0)
    expectOrder(store.saved)
    await loop.stop()
  }

  @Test(
    "L9: elements are saved or counted as dropped, and finish saves the last ones",
    arguments: [ElementLimit<Int>.newest(8), .oldest(8)].indices)
  func limits(_ index: Int) async {
    let limit = [ElementLimit<Int>.newest(8), .oldest(8)][index]
    for _ in 0..<Stress.rounds(2000) {
      let store = Store()
      let loop = BatchLoop<Int>(
        on: DispatchQueue(label: "serial"), keeping: limit, retry: .constant(.zero)
      ) {
        try await store.save($0)
      } onError: { _, _ in
      }
      await add(20, to: loop)
      await loop.settle()
      #expect(store.saved.count + store.dropped == 80)
      expectOrder(store.saved)
      await loop.finish()
    }
  }

  @Test("L9: hosts that are cancelled and replaced at any moment lose nothing")
  func hosts() async {
    for _ in 0..<Stress.rounds(2000) {
      let store = Store()
      let loop = BatchLoop<Int>(on: DispatchQueue(label: "serial"), keeping: .unlimited)
      let adding = Task.detached { [self] in await add(5, to: loop) }
      for _ in 0..<3 {
        let host = Task.detached { try await loop.run { try await store.save($0) } }
        await Task.yield()
        host.cancel()
        _ = await host.result
      }
      await adding.value
      // A host that throws returns its batch to the loop, and the next host saves the batch.
      repeat {
        let host = Task.detached { try await loop.run { try await store.save($0) } }
        let settling = Task.detached { await loop.settle() }
        let watching = Task.detached {
          _ = await host.result
          settling.cancel()
        }
        _ = await settling.value
        host.cancel()
        await watching.value
      } while loop.isPending
      await loop.finish()
      #expect(store.saved.count == 20)
      expectOrder(store.saved)
    }
  }

  @Test("L5, L9: nothing runs and nothing is queued after stop has returned, even if other threads add")
  func stops() async {
    for _ in 0..<Stress.rounds(5000) {
      let store = Store()
      let loop = BatchLoop<Int>(
        on: DispatchQueue(label: "concurrent", attributes: .concurrent), keeping: .newest(10),
        retry: .constant(.zero)
      ) {
        try await store.save($0)
      } onError: { _, _ in
      }
      let additions = Task.detached { for element in 0..<20 { loop.add(element) } }
      await Task.yield()
      await loop.stop(cancelling: true)
      let count = store.saved.count
      await additions.value
      #expect(store.saved.count == count && !loop.isPending)
    }
  }
}

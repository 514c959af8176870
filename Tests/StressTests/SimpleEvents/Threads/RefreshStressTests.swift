import Dispatch
import SimpleEvents
import SimpleEventsLoops
import Synchronization
import TestSupport
import Testing

/// Loops on real queues and actors, with requests from several threads.
@Suite(.serialized) struct RefreshStressTests {
  /// The body of a loop. It counts its runs and the overlaps among them.
  // SAFETY: `@unchecked`, because runs do not overlap (L1), so no two threads access the plain numbers at the
  // same time. The thread sanitizer checks this.
  private final class Body: @unchecked Sendable {
    let written: [Atomic<Int>.Holder] = (0..<4).map { _ in Atomic<Int>.Holder() }
    let overlaps: Atomic<Int> = Atomic(0)
    private let inside: Atomic<Int> = Atomic(0)
    private(set) var count: Int = 0
    private(set) var seen: [Int] = [0, 0, 0, 0]

    func run() async {
      if inside.wrappingAdd(1, ordering: .relaxed).oldValue != 0 {
        overlaps.wrappingAdd(1, ordering: .relaxed)
      }
      seen = written.map { $0.value.load(ordering: .relaxed) }
      await Task.yield()
      count += 1
      inside.wrappingSubtract(1, ordering: .relaxed)
    }
  }

  @Test(
    "L1, L2, L5: runs do not overlap, each request is seen, and settle waits for the runs",
    arguments: [RefreshLoop.WhenBusy.rerun, .restart],
    [
      CoalescingPolicy.nextTurn, .throttle(.microseconds(50)),
      .debounce(.microseconds(5), maxWait: .microseconds(50)),
    ])
  func requests(_ whenBusy: RefreshLoop.WhenBusy, _ policy: CoalescingPolicy) async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let body = Body()
    let loop = RefreshLoop(on: queue, policy: policy, whenBusy: whenBusy) { await body.run() }
    for round in 1...max(2, Stress.rounds(5000) / 50) {
      await withTaskGroup(of: Void.self) { group in
        for thread in body.written.indices {
          group.addTask {
            for number in 1...20 {
              body.written[thread].value.store(20 * (round - 1) + number, ordering: .relaxed)
              loop.request()
            }
            await loop.settle()
          }
        }
      }
      #expect(body.seen == [20 * round, 20 * round, 20 * round, 20 * round])
    }
    await loop.stop()
    #expect(body.overlaps.load(ordering: .relaxed) == 0)
    #expect(body.count > 0)
  }

  @Test("L5: nothing runs after stop has returned, even if other threads request")
  func stops() async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for _ in 0..<Stress.rounds(5000) {
      let body = Body()
      let loop = RefreshLoop(on: queue) { await body.run() }
      let requests = Task.detached { for _ in 0..<20 { loop.request() } }
      let waits = Task.detached { await loop.settle() }
      await loop.stop()
      let count = body.count
      await requests.value
      _ = await waits.value
      #expect(body.count == count)
      #expect(body.overlaps.load(ordering: .relaxed) == 0)
    }
  }

  @Test("L5: a wait that is cancelled while the run ends is ended once")
  func cancelledWaits() async {
    let body = Body()
    let loop = RefreshLoop(on: DispatchQueue(label: "serial")) { await body.run() }
    for _ in 0..<Stress.rounds(10_000) {
      loop.request()
      let waits = (0..<3).map { _ in Task.detached { await loop.settle() } }
      waits[0].cancel()
      await Task.yield()
      waits[1].cancel()
      for wait in waits { _ = await wait.value }
    }
    await loop.stop()
  }

  @Test("L1, L5: a loop that is deallocated during a run does not run again")
  func deallocation() async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for _ in 0..<Stress.rounds(5000) {
      let body = Body()
      var loop: RefreshLoop? = RefreshLoop(on: queue, whenBusy: .restart) { await body.run() }
      loop?.request()
      await Task.yield()
      loop?.request()
      loop = nil
      #expect(body.overlaps.load(ordering: .relaxed) == 0)
    }
  }
}

extension Atomic where Value == Int {
  /// An atomic number in an array.
  fileprivate final class Holder: Sendable {
    let value: Atomic<Int> = Atomic(0)
  }
}

import Dispatch
import SimpleEvents
import SimpleEventsLoops
import Synchronization
import TestSupport
import Testing

/// Keyed loops on real queues, with requests from several threads.
@Suite(.serialized) struct KeyedLoopStressTests {
  /// The body of a loop. It checks that the runs of a key do not overlap.
  // SAFETY: `@unchecked`, because the runs of one key do not overlap (K4), so no two threads access its plain
  // numbers at the same time. The thread sanitizer checks this.
  private final class Body: @unchecked Sendable {
    let written: [Number] = (0..<8).map { _ in Number() }
    let faults: Atomic<Int> = Atomic(0)
    private let inside: [Number] = (0..<8).map { _ in Number() }
    private let running: Atomic<Int> = Atomic(0)
    private let limit: Int
    private let seen: [Box] = (0..<8).map { _ in Box() }

    private final class Box {
      var value: Int = 0
    }

    init(limit: Int) { self.limit = limit }

    func run(_ key: Int) async {
      let others = inside[key].value.wrappingAdd(1, ordering: .relaxed).oldValue
      let all = running.wrappingAdd(1, ordering: .relaxed).oldValue
      if others != 0 || all >= limit { faults.wrappingAdd(1, ordering: .relaxed) }
      seen[key].value = written[key].value.load(ordering: .relaxed)
      await Task.yield()
      running.wrappingSubtract(1, ordering: .relaxed)
      inside[key].value.wrappingSubtract(1, ordering: .relaxed)
    }

    /// The numbers that the latest runs have read. Called after a wait for the end of all runs.
    var numbers: [Int] { seen.map(\.value) }
  }

  private static let policies: [CoalescingPolicy] = [
    .nextTurn, .throttle(.microseconds(50)), .debounce(.microseconds(5), maxWait: .microseconds(50)),
  ]

  /// Requests runs from four threads, each for two keys; returns the last numbers.
  private func request(_ loop: KeyedRefreshLoop<Int>, _ body: Body, round: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 1...20 {
            let key = 2 * thread + number % 2
            body.written[key].value.store(20 * (round - 1) + number, ordering: .relaxed)
            loop.request(key)
            if number % 7 == 0 { loop.flush(key) }
          }
          if thread == 0 { _ = try? await loop.refresh(0) }
          await loop.settle()
        }
      }
    }
  }

  @Test(
    "K4, L2: runs of a key do not overlap, each request is seen, and the limit is kept",
    arguments: [RefreshLoop.WhenBusy.rerun, .restart], policies)
  func requests(_ whenBusy: RefreshLoop.WhenBusy, _ policy: CoalescingPolicy) async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let body = Body(limit: 3)
    let loop = KeyedRefreshLoop<Int>(
      on: queue, policy: policy, whenBusy: whenBusy, maxConcurrentRuns: 3
    ) {
      await body.run($0)
    } onError: { _, _ in
    }
    for round in 1...max(2, Stress.rounds(5000) / 50) {
      await request(loop, body, round: round)
      let last = 20 * round
      #expect(body.numbers == (0..<8).map { $0 % 2 == 0 ? last : last - 1 })
    }
    await loop.finish()
    #expect(body.faults.load(ordering: .relaxed) == 0)
    #expect(loop.pendingCount == 0 && loop.runningCount == 0)
  }

  @Test("K5, L7: hosts that are replaced make all runs, and finish ends the last host", arguments: policies)
  func hosts(_ policy: CoalescingPolicy) async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for round in 1...max(2, Stress.rounds(2000) / 20) {
      let body = Body(limit: 2)
      let loop = KeyedRefreshLoop<Int>(on: queue, policy: policy)
      let requests = Task.detached { for number in 1...60 { loop.request(number % 8) } }
      for _ in 0..<round % 5 {
        let host = Task.detached { await loop.run(maxConcurrentRuns: 2) { await body.run($0) } }
        await Task.yield()
        host.cancel()
        await host.value
      }
      await requests.value
      let host = Task.detached { await loop.run(maxConcurrentRuns: 2) { await body.run($0) } }
      await loop.settle()
      await loop.finish()
      await host.value
      #expect(body.faults.load(ordering: .relaxed) == 0)
      #expect(loop.pendingCount == 0 && loop.runningCount == 0)
    }
  }

  @Test("K5: nothing runs after stop has returned, even if other threads request")
  func stops() async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for _ in 0..<Stress.rounds(2000) {
      let body = Body(limit: 4)
      let count = Number()
      let loop = KeyedRefreshLoop<Int>(on: queue) {
        count.value.wrappingAdd(1, ordering: .relaxed)
        await body.run($0)
      } onError: { _, _ in
      }
      let requests = Task.detached { for number in 0..<20 { loop.request(number % 8) } }
      let answer = Task.detached { try? await loop.refresh(1) }
      await loop.stop(cancelling: true)
      let before = count.value.load(ordering: .relaxed)
      await requests.value
      _ = await answer.value
      #expect(count.value.load(ordering: .relaxed) == before)
      #expect(loop.pendingCount == 0 && body.faults.load(ordering: .relaxed) == 0)
    }
  }
}

/// An atomic number that several closures share.
private final class Number: Sendable {
  let value: Atomic<Int> = Atomic(0)
}

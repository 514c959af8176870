import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// A rate limiter that several threads and tasks use. Its rate is neither exceeded nor missed.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LimiterStressTests {
  /// A clock that threads move forward, one nanosecond for each call.
  private final class StepClock: EventScheduler {
    private final class Entry: ScheduledWork {
      func cancel() {}
    }

    private let nanoseconds: Atomic<Int64> = Atomic(0)

    var now: EventInstant { EventInstant(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
    let isCurrent: Bool = true

    func step() { nanoseconds.wrappingAdd(1, ordering: .relaxed) }

    func schedule(_ work: @escaping @Sendable () -> Void) {}

    func schedule(
      at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
    ) -> any ScheduledWork { Entry() }
  }

  private final class Total: Sendable {
    private let count: Atomic<Int> = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ number: Int) { count.wrappingAdd(number, ordering: .relaxed) }
  }

  @Test("R2: threads are admitted exactly as often as the bucket has tokens, while the clock moves")
  func exactCount() {
    let rounds = Stress.rounds(1_000_000)
    let clock = StepClock()
    let interval = 3
    let burst = rounds
    let limiter = RateLimiter(1, per: .nanoseconds(interval), burst: burst, on: clock)
    let total = Total()
    // From the first call on, the bucket has room for further tokens, so that no token is lost.
    #expect(limiter.tryAcquire())
    total.add(1)
    onThreads(4) { thread in
      var admitted = 0
      for _ in 0..<rounds {
        if thread == 0 { clock.step() }
        if limiter.tryAcquire() { admitted += 1 }
      }
      total.add(admitted)
    }
    while limiter.tryAcquire() { total.add(1) }
    #expect(total.value == burst + rounds / interval)
  }

  @Test("R2: on the real clock, threads are never admitted more often than the rate allows")
  func rate() {
    let interval: UInt64 = 1000
    let rounds = Stress.rounds(1_000_000)
    let total = Total()
    let start = DispatchTime.now().uptimeNanoseconds
    let limiter = RateLimiter(1, per: .nanoseconds(interval), burst: 10, on: DispatchQueue(label: "rate"))
    onThreads(4) { _ in
      var admitted = 0
      for _ in 0..<rounds where limiter.tryAcquire() { admitted += 1 }
      total.add(admitted)
    }
    let elapsed = DispatchTime.now().uptimeNanoseconds - start
    #expect(total.value >= 10)
    #expect(total.value <= 10 + Int(elapsed / interval))
  }

  @Test("R3, R2: tasks that wait, call or are cancelled while threads call all end, within the rate")
  func tasks() async {
    let interval: UInt64 = 20_000
    let rounds = Stress.rounds(2000)
    let total = Total()
    let start = DispatchTime.now().uptimeNanoseconds
    let limiter = RateLimiter(1, per: .nanoseconds(interval), burst: 2, on: DispatchQueue(label: "rate"))
    let isOver = Flag()
    let calling = Task.detached {
      var admitted = 0
      while !isOver.isSet {
        if limiter.tryAcquire() { admitted += 1 }
        await Task.yield()
      }
      total.add(admitted)
    }
    let ended = await withTaskGroup(of: Int.self) { group in
      for index in 0..<4 {
        group.addTask {
          var ended = 0
          for round in 0..<rounds {
            let task = Task.detached { try await limiter.acquire() }
            if (round + index) % 3 == 0 { task.cancel() }
            if case .success = await task.result { total.add(1) }
            ended += 1
          }
          return ended
        }
      }
      return await group.reduce(0, +)
    }
    isOver.set()
    await calling.value
    let elapsed = DispatchTime.now().uptimeNanoseconds - start
    #expect(ended == 4 * rounds)
    #expect(total.value > rounds, "the tasks that were not cancelled were admitted")
    #expect(total.value <= 2 + Int(elapsed / interval))
    #expect("\(limiter)".hasSuffix("bursts of 2"), "no task waits, and no place is lost")
  }
}

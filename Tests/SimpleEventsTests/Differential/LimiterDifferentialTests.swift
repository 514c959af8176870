import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// R1, R3: compares the limiter with a naive bucket of tokens on random programs.
struct LimiterDifferentialTests {
  /// Returns a random number up to a limit. Each number of digits is equally likely.
  private func number(upTo most: Int64, _ generator: inout SeededGenerator) -> Int64 {
    let bits = Int64.bitWidth - most.leadingZeroBitCount
    let width = Int.random(in: 1...bits, using: &generator)
    return min(most, Int64.random(in: 1...max(1, .max >> (63 - width)), using: &generator))
  }

  @Test("R1: a limiter admits the calls that a naive bucket admits, at any rate and any instant")
  func anyRate() {
    for seed in Stress.seeds(20_000) {
      var generator = SeededGenerator(seed: seed)
      let period = number(upTo: .max - 1, &generator)
      let count = number(upTo: period, &generator)
      let interval = period / count + (period % count == 0 ? 0 : 1)
      let burst = number(upTo: min(.max / interval, 1000), &generator)
      let start =
        Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<64, using: &generator)
      let clock = SetClock(start)
      let limiter = RateLimiter(Int(count), per: .nanoseconds(period), burst: Int(burst), on: clock)
      var bucket = NaiveBucket(interval: interval, burst: burst, at: start)
      // The time that has passed. It is exact for 292 years, up to the end of the time line.
      var passed: Int64 = 0
      let longest = start > 0 ? .max - start : .max
      for step in 0..<100 {
        if Bool.random(using: &generator) {
          // Calls are about one interval apart, or a nanosecond before or after the instant of an admission.
          let length = Bool.random(using: &generator) ? interval : number(upTo: interval, &generator) * 2
          let time = max(0, length &+ Int64.random(in: -1...1, using: &generator))
          passed = time > longest - passed ? longest : passed + time
          clock.set(start + passed)
          _ = bucket.advance(to: start + passed)
        }
        let expected = bucket.take()
        guard limiter.tryAcquire() == expected else {
          Issue.record("seed \(seed), step \(step), \(limiter): \(!expected) instead of \(expected)")
          return
        }
      }
    }
  }

  @Test(
    "R3, R1: tasks and the calls between them are admitted as by a naive queue")
  func queue() {
    for seed in Stress.seeds(5000) {
      var generator = SeededGenerator(seed: seed)
      let interval = Int64.random(in: 1...20, using: &generator)
      let burst = Int64.random(in: 1...4, using: &generator)
      let scheduler = TestScheduler()
      let counting = CountingScheduler(scheduler)
      let limiter = RateLimiter(1, per: .nanoseconds(interval), burst: Int(burst), on: counting)
      var bucket = NaiveBucket(interval: interval, burst: burst, at: 0)
      let log = Log()
      var expected: [String] = []
      var waits: [LimiterWait] = []
      func check(_ isAdmitted: Bool, _ step: Int) {
        let isExpected = bucket.take()
        #expect(isAdmitted == isExpected, "seed \(seed), step \(step)")
      }
      for step in 0..<60 {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1: check(limiter.tryAcquire(), step)
        case 2, 3:
          let wait = LimiterWait()
          let number = waits.count
          waits.append(wait)
          // The task of `acquire()` first calls `tryAcquire()`, and waits if the call is refused.
          if limiter.tryAcquire() {
            check(true, step)
          } else {
            check(false, step)
            bucket.wait(number)
            limiter.begin(wait) { end in
              log.add(end == .reached ? "\(number) at \(scheduler.now.nanoseconds)" : "\(number) cancelled")
            }
          }
        case 4:
          guard let number = bucket.waiting.randomElement(using: &generator) else { continue }
          bucket.cancel(number)
          expected.append("\(number) cancelled")
          limiter.cancel(waits[number])
        default:
          let time = Int64.random(in: 0...2 * interval, using: &generator)
          let admitted = bucket.advance(to: scheduler.now.nanoseconds + time)
          expected += admitted.map { "\($0.task) at \($0.at)" }
          scheduler.advance(by: .nanoseconds(time))
        }
        #expect(counting.counts.pending == (bucket.waiting.isEmpty ? 0 : 1), "seed \(seed), step \(step)")
      }
      #expect(log.entries == expected, "seed \(seed)")
    }
  }
}

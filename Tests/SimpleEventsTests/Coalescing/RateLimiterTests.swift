import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// R1 and R2 in virtual time: the rate, its extremes, and the cost of a call.
struct RateLimiterTests {
  private let scheduler = TestScheduler()

  /// Returns the number of calls that are admitted at the current instant, up to a maximum.
  private func admissions(_ limiter: RateLimiter, atMost most: Int = 1000) -> Int {
    var count = 0
    while count < most && limiter.tryAcquire() { count += 1 }
    return count
  }

  @Test("R1: one call in each interval is admitted, the first one immediately")
  func interval() {
    let limiter = RateLimiter(every: .milliseconds(100), on: scheduler)
    var admitted: [Int] = []
    for instant in stride(from: 0, to: 500, by: 10) {
      scheduler.advance(toMilliseconds: instant)
      if limiter.tryAcquire() { admitted.append(instant) }
    }
    #expect(admitted == [0, 100, 200, 300, 400])
  }

  @Test("R1: a pause saves up one burst, and no more than a burst")
  func burst() {
    let limiter = RateLimiter(10, per: .seconds(1), burst: 5, on: scheduler)
    #expect(admissions(limiter) == 5)
    scheduler.advance(by: .milliseconds(250))
    #expect(admissions(limiter) == 2)
    scheduler.advance(by: .milliseconds(50))
    #expect(admissions(limiter) == 1, "the half of a token is not lost")
    scheduler.advance(by: .seconds(3600))
    #expect(admissions(limiter) == 5)
  }

  @Test("R1: an interval is rounded up to a nanosecond, so the rate is never exceeded")
  func rounding() {
    let limiter = RateLimiter(3, per: .seconds(1), on: scheduler)
    #expect(limiter.tryAcquire())
    scheduler.advance(to: EventInstant(nanoseconds: 333_333_333))
    #expect(!limiter.tryAcquire())
    scheduler.advance(to: EventInstant(nanoseconds: 333_333_334))
    #expect(limiter.tryAcquire())
    let fraction = RateLimiter(every: Duration(secondsComponent: 0, attosecondsComponent: 1), on: scheduler)
    #expect(admissions(fraction) == 1)
    scheduler.advance(by: .nanoseconds(1))
    #expect(admissions(fraction) == 1)
  }

  @Test("R1: while the clock stands still, only a burst is admitted")
  func standingClock() {
    let limiter = RateLimiter(1, per: .nanoseconds(1), burst: 7, on: SetClock(.max))
    #expect(admissions(limiter) == 7)
  }

  @Test("R1: a clock that goes back is treated as a clock that stands still")
  func clockGoesBack() {
    let clock = SetClock(1000)
    let limiter = RateLimiter(every: .nanoseconds(10), on: clock)
    clock.set(.min)
    #expect(admissions(limiter) == 1)
    clock.set(1009)
    #expect(admissions(limiter) == 0)
    clock.set(1010)
    #expect(admissions(limiter) == 1)
    clock.set(1000)
    #expect(admissions(limiter) == 0)
  }

  @Test("R1: a limiter that is as old as the time line refuses calls, and never exceeds the rate")
  func endOfTime() {
    for start: Int64 in [Int64.min, Int64.min + 1, -1] {
      let clock = SetClock(start)
      let limiter = RateLimiter(1, per: .seconds(3600), burst: 3, on: clock)
      #expect(admissions(limiter) == 3)
      clock.set(.max)
      #expect(admissions(limiter) <= 3)
      #expect(!limiter.tryAcquire())
    }
  }

  /// Arguments out of range, with the numbers of calls that are admitted immediately and a second later.
  struct Extreme: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let parts: [String]
    let first: Int
    let second: Int
    let make: @Sendable (TestScheduler, MisuseHandler) -> RateLimiter

    static let all: [Extreme] = [
      Extreme(testDescription: "no count", parts: ["count"], first: 1, second: 1) {
        RateLimiter(0, per: .seconds(1), on: $0, misuse: $1)
      },
      Extreme(testDescription: "a negative count", parts: ["count"], first: 2, second: 1) {
        RateLimiter(.min, per: .seconds(1), burst: 2, on: $0, misuse: $1)
      },
      Extreme(testDescription: "a huge count", parts: ["count"], first: 1, second: 1) {
        RateLimiter(.max, per: .seconds(1), on: $0, misuse: $1)
      },
      Extreme(testDescription: "no interval", parts: ["period"], first: 1, second: 1) {
        RateLimiter(every: .zero, on: $0, misuse: $1)
      },
      Extreme(testDescription: "a negative interval", parts: ["period"], first: 1, second: 1) {
        RateLimiter(every: .seconds(Int64.min), on: $0, misuse: $1)
      },
      Extreme(testDescription: "a huge interval", parts: ["period"], first: 1, second: 0) {
        RateLimiter(every: .seconds(Int64.max), on: $0, misuse: $1)
      },
      Extreme(testDescription: "no burst", parts: ["burst"], first: 1, second: 1) {
        RateLimiter(1, per: .seconds(1), burst: 0, on: $0, misuse: $1)
      },
      Extreme(testDescription: "a negative burst", parts: ["burst"], first: 1, second: 1) {
        RateLimiter(1, per: .seconds(1), burst: .min, on: $0, misuse: $1)
      },
      Extreme(testDescription: "a huge burst", parts: ["burst"], first: 1000, second: 1000) {
        RateLimiter(1, per: .seconds(1), burst: .max, on: $0, misuse: $1)
      },
      Extreme(testDescription: "a period of zero", parts: ["period"], first: 1, second: 1) {
        RateLimiter(5, per: .zero, on: $0, misuse: $1)
      },
      Extreme(testDescription: "nothing", parts: ["period", "count", "burst"], first: 1, second: 1) {
        RateLimiter(0, per: .zero, burst: 0, on: $0, misuse: $1)
      },
      Extreme(
        testDescription: "everything", parts: ["period", "count"], first: 1000, second: 1000
      ) {
        RateLimiter(.max, per: .seconds(Int64.max), burst: .max, on: $0, misuse: $1)
      },
    ]
  }

  @Test("R1: an argument out of range is flagged, and the nearest valid one is used", arguments: Extreme.all)
  func extreme(_ extreme: Extreme) {
    let misuses = MisuseLog()
    let limiter = extreme.make(scheduler, misuses.handler)
    #expect(misuses.kinds == extreme.parts.map { _ in .rateOutOfRange })
    for (message, part) in zip(misuses.messages, extreme.parts) { #expect(message.contains("The \(part)")) }
    #expect(admissions(limiter) == extreme.first)
    scheduler.advance(by: .seconds(1))
    #expect(admissions(limiter) == extreme.second)
  }

  @Test("R1: arguments at the ends of their ranges are not flagged")
  func ends() {
    let misuses = MisuseLog()
    let longest = Duration.nanoseconds(Int64.max) - .nanoseconds(1)
    let slowest = RateLimiter(every: longest, on: scheduler, misuse: misuses.handler)
    #expect(admissions(slowest) == 1)
    let fastest = RateLimiter(
      1_000_000_000, per: .seconds(1), burst: .max, on: scheduler, misuse: misuses.handler)
    #expect(admissions(fastest) == 1000)
    #expect(misuses.kinds == [])
  }

  @Test("R2: a call reads the clock once, whether it is admitted or refused, and requests nothing else")
  func cost() {
    let counting = CountingScheduler(scheduler)
    let limiter = RateLimiter(1, per: .seconds(1), burst: 500, on: counting)
    let before = counting.counts.clockReads
    #expect(before == 1)
    for _ in 0..<1000 { _ = limiter.tryAcquire() }
    #expect(counting.counts.clockReads == before + 1000)
    #expect(counting.counts.turns == 0 && counting.counts.armed == 0)
  }

  @Test("R2: a limiter on a queue uses the uptime clock")
  func queueClock() {
    let never = RateLimiter(every: .seconds(3600), on: DispatchQueue(label: "clock"))
    #expect(admissions(never) == 1)
    let always = RateLimiter(every: .nanoseconds(1), on: .main)
    for _ in 0..<3 {
      let now = DispatchTime.now()
      while DispatchTime.now() == now {}
      #expect(always.tryAcquire())
    }
  }

  @Test("RateLimiter: a description has the label, the rate and the tasks that wait")
  func description() {
    let limiter = RateLimiter(10, per: .seconds(1), burst: 5, on: scheduler, label: "api")
    #expect("\(limiter)" == "RateLimiter \"api\", one every 100 ms, bursts of 5")
    #expect(admissions(limiter) == 5)
    let waits = [LimiterWait(), LimiterWait()]
    for wait in waits { limiter.begin(wait) { _ in } }
    #expect("\(limiter)" == "RateLimiter \"api\", one every 100 ms, bursts of 5, 2 tasks waiting")
    scheduler.run()
    #expect(
      "\(RateLimiter(every: .seconds(90), on: scheduler))" == "RateLimiter, one every 1.5 min, bursts of 1")
  }
}

import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// R3 without tasks: a wait resumes a closure in place of a continuation.
struct RateLimiterWaitTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  private func begin(_ name: String, at limiter: RateLimiter) -> LimiterWait {
    let wait = LimiterWait()
    limiter.begin(wait) { [log, scheduler] end in log.add("\(scheduler.milliseconds) \(name) \(end)") }
    return wait
  }

  /// Returns a limiter whose burst is used up.
  private func makeLimiter(burst: Int = 1, on scheduler: some EventScheduler) -> RateLimiter {
    let limiter = RateLimiter(10, per: .seconds(1), burst: burst, on: scheduler)
    for _ in 0..<burst { #expect(limiter.tryAcquire()) }
    return limiter
  }

  @Test("R3: waits end in the order in which they began, one in each interval")
  func order() {
    let limiter = makeLimiter(burst: 3, on: scheduler)
    _ = ["a", "b", "c"].map { begin($0, at: limiter) }
    scheduler.run()
    #expect(log.entries == ["100 a reached", "200 b reached", "300 c reached"])
    #expect(scheduler.pendingCount == 0)
  }

  @Test("R3: no call is admitted while a task waits, and calls are admitted by the rate when none waits")
  func noStarvation() {
    let limiter = makeLimiter(on: scheduler)
    _ = [begin("a", at: limiter), begin("b", at: limiter)]
    for instant in 0...400 {
      scheduler.at(instant) { [log] in if limiter.tryAcquire() { log.add("\(instant) call") } }
    }
    scheduler.run()
    #expect(log.entries == ["100 a reached", "200 b reached", "300 call", "400 call"])
  }

  @Test("R3: a call does not take the admission of a waiting task, even before the timer has fired")
  func callAtDeadline() {
    let limiter = makeLimiter(on: scheduler)
    let answers = Log()
    scheduler.at(100) { answers.add("\(limiter.tryAcquire())") }
    _ = begin("a", at: limiter)
    scheduler.run()
    #expect(answers.entries == ["false"])
    #expect(log.entries == ["100 a reached"])
  }

  @Test("R3: the place of a cancelled wait passes on, and no token is taken for it")
  func cancellation() {
    let limiter = makeLimiter(on: scheduler)
    let waits = ["a", "b", "c", "d"].map { begin($0, at: limiter) }
    limiter.cancel(waits[0])
    limiter.cancel(waits[2])
    limiter.cancel(waits[2])
    scheduler.run()
    limiter.cancel(waits[3])
    #expect(log.entries == ["0 a cancelled", "0 c cancelled", "100 b reached", "200 d reached"])
  }

  @Test("R3: when the last wait is cancelled, no timer is left, and calls are admitted as without the wait")
  func lastCancellation() {
    let limiter = makeLimiter(on: scheduler)
    let wait = begin("a", at: limiter)
    #expect(scheduler.pendingCount == 1)
    limiter.cancel(wait)
    #expect(scheduler.pendingCount == 0)
    #expect(!limiter.tryAcquire())
    scheduler.advance(by: .milliseconds(100))
    #expect(limiter.tryAcquire())
  }

  @Test("R3: a wait that is cancelled before it begins ends when it begins, and takes no place")
  func earlyCancellation() {
    let limiter = makeLimiter(on: scheduler)
    let wait = LimiterWait()
    limiter.cancel(wait)
    limiter.begin(wait) { [log] in log.add("\($0)") }
    #expect(log.entries == ["cancelled"])
    #expect(scheduler.pendingCount == 0)
    scheduler.advance(by: .milliseconds(100))
    #expect(limiter.tryAcquire())
  }

  @Test("R3: only the first wait has a timer, and cancelling it does not move the timer")
  func oneTimer() {
    let counting = CountingScheduler(scheduler)
    let limiter = makeLimiter(on: counting)
    let waits = (0..<10).map { begin("\($0)", at: limiter) }
    limiter.cancel(waits[0])
    limiter.cancel(waits[5])
    #expect(counting.counts.armed == 1)
    scheduler.run()
    #expect(counting.counts.armed == 8)
    #expect(counting.counts.mostAtOnce == 1)
    #expect(counting.counts.turns == 0)
  }

  @Test("R3: after a late timer the rate is kept for the instants at which tasks continue")
  func lateTimer() {
    // With a burst of one, the time by which the timer is late gives no token, because the bucket is full.
    let limiter = makeLimiter(on: UnsteadyScheduler.late(scheduler, by: .milliseconds(250)))
    _ = ["a", "b"].map { begin($0, at: limiter) }
    scheduler.run()
    #expect(log.entries == ["350 a reached", "700 b reached"])
  }

  @Test("R3: a late timer admits as many tasks as the bucket has tokens by then")
  func lateTimerOfBurst() {
    let limiter = makeLimiter(burst: 2, on: UnsteadyScheduler.paused(scheduler, 50...450))
    _ = ["a", "b", "c", "d"].map { begin($0, at: limiter) }
    scheduler.run()
    #expect(log.entries == ["450 a reached", "450 b reached", "550 c reached", "650 d reached"])
  }

  @Test("R3: a timer that fires too early admits nothing, and is armed again")
  func earlyTimer() {
    let limiter = makeLimiter(on: UnsteadyScheduler.early(scheduler))
    _ = ["a", "b"].map { begin($0, at: limiter) }
    scheduler.run()
    #expect(log.entries == ["100 a reached", "200 b reached"])
  }

  @Test("R3, S7: waits end when the scheduler loses the timer, and so do later waits")
  func loss() {
    let forgetful = ForgetfulScheduler()
    let limiter = makeLimiter(on: forgetful)
    let waits = ["a", "b", "c"].map { begin($0, at: limiter) }
    limiter.cancel(waits[1])
    forgetful.forget()
    #expect(log.entries == ["0 b cancelled", "0 a cancelled", "0 c cancelled"])
    _ = begin("d", at: limiter)
    forgetful.forget()
    #expect(log.entries.last == "0 d cancelled")
    #expect("\(limiter)".hasSuffix("bursts of 1"))
  }

  @Test("R3: waits for an instant beyond the end of the time line last until they are cancelled")
  func distantFuture() {
    let limiter = RateLimiter(every: .nanoseconds(Int64.max - 1), on: scheduler)
    #expect(limiter.tryAcquire())
    scheduler.advance(by: .seconds(1))
    let waits = ["a", "b"].map { begin($0, at: limiter) }
    #expect(scheduler.nextDeadline == EventInstant(nanoseconds: .max - 1))
    scheduler.run()
    #expect(log.entries.count == 1)
    limiter.cancel(waits[1])
    #expect(scheduler.pendingCount == 0)
  }

  @Test("R3: a limiter is released when its last wait has ended", arguments: [false, true])
  func release(isCancelled: Bool) {
    weak var released: RateLimiter?
    do {
      let limiter = makeLimiter(on: scheduler)
      released = limiter
      let waits = ["a", "b"].map { begin($0, at: limiter) }
      if isCancelled { for wait in waits { limiter.cancel(wait) } }
    }
    #expect((released == nil) == isCancelled, "a task that waits keeps the limiter alive")
    scheduler.run()
    #expect(released == nil)
    #expect(log.entries.count == 2)
  }
}

internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// A limiter on a queue. It records the calls and waits that were admitted, in order.
// SAFETY: all fibers run on one thread.
private final class Limited: @unchecked Sendable {
  static let interval: Int64 = 10
  /// The largest time between an admission and the reading of its instant.
  static let skew: Duration = .microseconds(1)

  let limiter: RateLimiter
  let scheduler: CountedQueue
  /// The numbers of the calls and waits that were admitted, in order, with the instants.
  private(set) var admitted: [(number: Int, at: EventInstant)] = []
  private(set) var cancelled: [Int] = []

  init(burst: Int = 1) {
    scheduler = CountedQueue(DispatchQueue(label: "queue"))
    limiter = RateLimiter(
      1, per: .milliseconds(Self.interval), burst: burst, on: scheduler, label: nil, misuse: .trap)
  }

  /// The numbers of the calls and waits that were admitted, in order.
  var order: [Int] { admitted.map(\.number) }

  func call(_ number: Int) {
    if limiter.tryAcquire() { admitted.append((number, scheduler.now)) }
  }

  func begin(_ number: Int, _ wait: LimiterWait = LimiterWait()) {
    limiter.begin(wait) { [self] end in
      expectUnlocked("R3: a task is resumed under no lock")
      expect(!order.contains(number) && !cancelled.contains(number), "R3: a wait ends once")
      if end == .reached {
        admitted.append((number, scheduler.now))
      } else {
        cancelled.append(number)
      }
    }
  }

  /// Whether the last admission was made at an instant, in milliseconds.
  func isLast(at milliseconds: Int) -> Bool {
    let lateness = instant(milliseconds).duration(to: admitted.last!.at)
    return lateness >= .zero && lateness <= Self.skew
  }

  /// Checks that all admissions are as far apart as the rate requires.
  func expectRate(burst: Int = 1) {
    for first in admitted.indices {
      for last in admitted.indices where last >= first + burst {
        let time = admitted[first].at.duration(to: admitted[last].at)
        let least = Duration.milliseconds(Self.interval) * (last - first + 1 - burst)
        expect(time >= least - Self.skew, "R2: the rate is never exceeded")
      }
    }
  }

  /// Checks that a wait has ended exactly once.
  func expectEnded(_ number: Int) {
    expect(order.contains(number) != cancelled.contains(number), "R3: every wait ends")
  }

  /// Checks that nothing is left when no task waits, and that a call gets the next token.
  func expectFree() {
    expect(scheduler.armed == 0, "R3: no timer is left when no task waits")
    ExplorerEngine.sleep(until: 1000)
    expect(limiter.tryAcquire(), "R3: calls are admitted again when no task waits")
  }
}

/// Three threads call a limiter that has two tokens.
let limiterCalls: Scenario = Scenario("limiter-calls", "R2") {
  let limited = Limited(burst: 2)
  parallel(
    { limited.call(1) },
    { limited.call(2) },
    { limited.call(3) })
  expect(limited.admitted.count == 2, "R2: as many calls are admitted as there are tokens")
}

/// Two threads call a limiter at the instant of its next token, and another call comes after it.
let limiterCallsAtInstant: Scenario = Scenario("limiter-calls-at-instant", "R2") {
  let limited = Limited()
  limited.call(0)
  parallel(
    {
      ExplorerEngine.sleep(until: 10)
      limited.call(1)
    },
    {
      limited.call(2)
      ExplorerEngine.sleep(until: 10)
      limited.call(3)
    })
  limited.expectRate()
  expect(limited.admitted.count == 2, "R2: one call is admitted for each token")
}

/// Two tasks begin to wait while two threads call. A third call comes at the instant of the first token.
let limiterWaitsAndCalls: Scenario = Scenario("limiter-waits-and-calls", "R2 R3") {
  let limited = Limited()
  limited.call(0)
  parallel(
    { limited.begin(1) },
    { limited.begin(2) },
    {
      ExplorerEngine.sleep(until: 10)
      limited.call(3)
    })
  settle()
  limited.expectRate()
  // The call may be so late that both tasks have been admitted.
  expect(Set(limited.order.prefix(3)) == [0, 1, 2], "R3: no call is admitted while a task waits")
  limited.expectFree()
}

/// Several tasks wait. The first two are cancelled while the timer fires.
let limiterCancellations: Scenario = Scenario("limiter-cancellations", "R3") {
  let limited = Limited()
  limited.call(0)
  let waits = [LimiterWait(), LimiterWait(), LimiterWait()]
  for (index, wait) in waits.enumerated() { limited.begin(index + 1, wait) }
  parallel(
    {
      ExplorerEngine.sleep(until: 10)
      limited.limiter.cancel(waits[0])
    },
    { limited.limiter.cancel(waits[1]) })
  settle()
  limited.expectRate()
  expect(limited.order == limited.order.sorted(), "R3: first come, first served")
  for number in 1...3 { limited.expectEnded(number) }
  expect(limited.order.last == 3, "R3: a cancelled task gives its place on")
  expect(limited.isLast(at: 10 * (limited.order.count - 1)), "R3: a cancelled task takes nothing")
  limited.expectFree()
}

/// The last task is cancelled while another task begins to wait and a thread calls.
let limiterLastCancellation: Scenario = Scenario("limiter-last-cancellation", "R2 R3") {
  let limited = Limited()
  limited.call(0)
  let wait = LimiterWait()
  limited.begin(1, wait)
  parallel(
    { limited.limiter.cancel(wait) },
    { limited.begin(2) },
    {
      ExplorerEngine.sleep(until: 10)
      limited.call(3)
    })
  settle()
  limited.expectRate()
  limited.expectEnded(1)
  expect(limited.order.contains(2), "R3: a cancelled task gives its place on")
  if limited.order == [0, 2] { expect(limited.isLast(at: 10), "R3: a cancelled task takes nothing") }
  limited.expectFree()
}

/// A wait is cancelled before it begins or while it begins, and a thread calls.
let limiterEarlyCancellation: Scenario = Scenario("limiter-early-cancellation", "R3") {
  let limited = Limited()
  limited.call(0)
  let wait = LimiterWait()
  parallel(
    { limited.begin(1, wait) },
    { limited.limiter.cancel(wait) },
    { limited.call(2) })
  if limited.cancelled == [1] {
    expect(limited.scheduler.armed == 0, "R3: no timer is left when no task waits")
  }
  settle()
  limited.expectRate()
  limited.expectEnded(1)
  limited.expectFree()
}

/// The scheduler is lost while tasks wait and other tasks begin to wait.
let limiterLoss: Scenario = Scenario("limiter-loss", "R3 S7") {
  let scheduler = LosingScheduler(DispatchQueue(label: "queue"))
  let limiter = RateLimiter(every: .milliseconds(10), on: scheduler, label: nil, misuse: .trap)
  let ended = Counter()
  expect(limiter.tryAcquire(), "R1: the bucket is full at first")
  func begin() {
    limiter.begin(LimiterWait()) { _ in
      expectUnlocked("R3: a task is resumed under no lock")
      ended.value += 1
    }
  }
  begin()
  parallel(
    { scheduler.lose() },
    { begin() })
  settle()
  expect(ended.value == 2, "S7: every wait ends when the scheduler is lost")
}

/// The scenarios of rate limiters.
let limiterScenarios: [Scenario] = [
  limiterCalls, limiterCallsAtInstant, limiterWaitsAndCalls, limiterCancellations, limiterLastCancellation,
  limiterEarlyCancellation, limiterLoss,
]

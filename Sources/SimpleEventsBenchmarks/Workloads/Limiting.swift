internal import SimpleEvents
internal import Synchronization

/// A rate limiter on the real clock is called (R2).
///
/// In the first workload, all calls are refused. In the second workload, all calls are admitted. In the third
/// workload, several threads call.
enum Limiting {
  static var workloads: [Workload] { [refused, admitted, threads] }

  private static let sizes: [Int] = [10_000, 100_000, 1_000_000]

  private static var refused: Workload {
    workload("limiter-refused", atMost: 1.1, every: .seconds(3600), burst: 1)
  }

  /// The bucket is never empty.
  private static var admitted: Workload {
    workload("limiter-admitted", atMost: 1.3, every: .nanoseconds(1), burst: 1_000_000_000)
  }

  private static func workload(
    _ name: String, atMost ratio: Double, every interval: Duration, burst: Int
  ) -> Workload {
    /// A trial in which calls are admitted until the burst is used up. All runs share the burst.
    ///
    /// - Parameter call: Makes the given number of calls in a loop, and returns the number of admissions.
    func trial(_ fixture: Fixture, _ call: @escaping (Int) -> Int) -> Trial {
      let (sink, n) = (fixture.sink, fixture.n)
      return Trial(
        operations: n, deliveries: { runs, _ in min(burst, runs * n)...min(burst, runs * n) }
      ) {
        sink.add(call(n))
      }
    }
    return Workload(
      name, unit: "call", sizes: sizes, mainSize: 1_000_000, quickSize: 10_000, baseline: Baseline.clock,
      bars: [
        // The clock is read once for each call, and once for the start.
        .ratio(ratio, to: Baseline.clock), .count(.clockReads, atMost: 1_000_001),
        .count(.heapBytesGrown, atMost: 4096),
      ],
      subjects: [
        Subject("SimpleEvents RateLimiter") { fixture in
          let limiter = RateLimiter(
            1, per: interval, burst: burst, on: fixture.scheduler(fixture.queue()))
          return trial(fixture) { n in (0..<n).count { _ in limiter.tryAcquire() } }
        },
        .clock,
        Subject(Baseline.lockedBucket) { fixture in
          let bucket = LockedBucket(every: interval, burst: burst)
          return trial(fixture) { n in (0..<n).count { _ in bucket.take() } }
        },
      ])
  }

  /// Several threads call at the same time. The size is the number of threads.
  ///
  /// The result is the total time divided by the number of calls of all threads. The number of admissions
  /// depends on the time that has passed, not on the number of threads.
  private static var threads: Workload {
    let interval = Duration.microseconds(1)
    let calls = 400_000
    func trial(_ fixture: Fixture, _ take: @escaping @Sendable () -> Bool) -> Trial {
      let (sink, threads) = (fixture.sink, fixture.n)
      let admitted = Total()
      return Trial(
        operations: calls, isRepeatable: false,
        deliveries: { _, nanoseconds in 1...1 + Int(nanoseconds / 1000) },
        settle: { sink.add(admitted.count.load(ordering: .relaxed)) }
      ) {
        Threads.share(calls, among: threads) { _ in
          // The ordering is relaxed, because the counter is read after the threads have ended.
          if take() { admitted.count.add(1, ordering: .relaxed) }
        }
      }
    }
    return Workload(
      "limiter-threads", unit: "call", sizes: [2, 4], quickSize: 2, growsWithSize: true,
      parallelism: .size, baseline: Baseline.lockedBucket,
      bars: [.ratio(1, to: Baseline.lockedBucket), .ratio(1, to: Baseline.lockedBucket, at: 4)],
      subjects: [
        Subject("SimpleEvents RateLimiter") { fixture in
          let limiter = RateLimiter(every: interval, on: fixture.scheduler(fixture.queue()))
          return trial(fixture) { limiter.tryAcquire() }
        },
        Subject(Baseline.lockedBucket) { fixture in
          let bucket = LockedBucket(every: interval, burst: 1)
          return trial(fixture) { bucket.take() }
        },
      ])
  }

  private final class Total: Sendable {
    let count: Atomic<Int> = Atomic(0)
  }
}

import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// R3 with tasks, in virtual time.
struct RateLimiterTaskTests {
  @Test("R3: all runs admit tasks in order, at exact instants, and a cancelled task's place passes on")
  func exactness() {
    let difference = firstDifference(
      from: [
        "0 a", "0 b", "100 c", "150 d cancelled", "200 e", "250 refused", "300 f", "400 now",
        "400 g cancelled",
        "500 now",
      ],
      runs: Stress.rounds(2000)
    ) { trace in
      let limiter = RateLimiter(10, per: .seconds(1), burst: 2, on: trace.scheduler)
      func acquire(_ name: String) -> Task<Void, Never> {
        Task {
          do {
            try await limiter.acquire()
            trace.add(name)
          } catch {
            #expect(error is CancellationError)
            trace.add("\(name) cancelled")
          }
        }
      }
      let tasks = ["a", "b", "c", "d", "e", "f"].map { (name: String) in acquire(name) }
      try await trace.sleep(150)
      tasks[3].cancel()
      try await trace.sleep(100)
      trace.add(limiter.tryAcquire() ? "now" : "refused")
      try await trace.sleep(150)
      trace.add(limiter.tryAcquire() ? "now" : "refused")
      let late = acquire("g")
      late.cancel()
      try await trace.sleep(100)
      trace.add(limiter.tryAcquire() ? "now" : "refused")
      for task in tasks { await task.value }
    }
    #expect(difference == nil)
  }

  @Test("R3: a cancelled task is not admitted and takes no token, even if the rate allows it")
  func cancelledBefore() throws {
    let scheduler = TestScheduler()
    let limiter = RateLimiter(every: .seconds(1), on: scheduler)
    try scheduler.run {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await limiter.acquire()
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(limiter.tryAcquire())
    #expect(scheduler.pendingCount == 0)
  }

  @Test("R3: a cancellation after the admission changes nothing")
  func cancelledAfter() throws {
    let scheduler = TestScheduler()
    let limiter = RateLimiter(every: .seconds(1), on: scheduler)
    try scheduler.run {
      try await limiter.acquire()
      let task = Task { try await limiter.acquire() }
      // The timer for the admission was armed before this sleep, so the task is admitted but not yet resumed.
      try await scheduler.clock.sleep(for: .seconds(1))
      task.cancel()
      try await task.value
    }
    #expect(!limiter.tryAcquire())
  }

  @Test("R3: a task that waits keeps the limiter alive, and is admitted")
  func lastReference() throws {
    let scheduler = TestScheduler()
    let log = Log()
    try scheduler.run {
      weak var released: RateLimiter?
      let task: Task<Void, any Error>
      do {
        let limiter = RateLimiter(every: .seconds(1), on: scheduler)
        released = limiter
        #expect(limiter.tryAcquire())
        task = Task { [limiter] in try await limiter.acquire() }
      }
      try await scheduler.clock.sleep(for: .milliseconds(500))
      #expect(released != nil)
      try await task.value
      log.add("\(scheduler.milliseconds) \(released == nil)")
    }
    #expect(log.entries == ["1000 true"])
  }

  @Test("R3, S7: waiting tasks throw when the scheduler is lost, and so do later tasks that would wait")
  func loss() async {
    let forgetful = ForgetfulScheduler()
    let limiter = RateLimiter(every: .seconds(1), on: forgetful)
    #expect(limiter.tryAcquire())
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let tasks = (0..<3).map { _ in
      Task {
        continuation.yield()
        try await limiter.acquire()
      }
    }
    var iterator = begun.makeAsyncIterator()
    for _ in tasks { await iterator.next() }
    let loses = Task {
      while !Task.isCancelled {
        forgetful.forget()
        await Task.yield()
      }
    }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    loses.cancel()
  }

  @MainActor private final class Page {
    var title = ""

    nonisolated init() {}

    func load(_ limiter: RateLimiter) async throws {
      try await limiter.acquire()
      MainActor.assertIsolated()
      title = "loaded"
    }
  }

  @MainActor
  @Test("R3: a task stays on its actor")
  func isolation() async throws {
    let scheduler = TestScheduler()
    let limiter = RateLimiter(every: .seconds(1), on: scheduler)
    let page = Page()
    try await scheduler.runOnMain {
      try await page.load(limiter)
      try await page.load(limiter)
    }
    #expect(page.title == "loaded")
    #expect(scheduler.milliseconds == 1000)
  }
}

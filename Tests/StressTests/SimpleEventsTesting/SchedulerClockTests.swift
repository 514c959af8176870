import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// S1, S2 for tasks that sleep on a scheduler's clock.
struct SchedulerClockTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  @Test("S2: cancelling a sleep releases its entry immediately")
  func cancellation() throws {
    try scheduler.run { [scheduler, log] in
      let sleeper = Task {
        do {
          try await scheduler.clock.sleep(for: .seconds(1))
        } catch is CancellationError {
          log.add("cancelled at \(scheduler.milliseconds)")
        }
      }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      #expect(scheduler.pendingCount == 1)
      #expect(scheduler.nextDeadline == .ms(1000))
      sleeper.cancel()
      #expect(scheduler.pendingCount == 1, "the job of the task that was resumed")
      #expect(scheduler.nextDeadline == .ms(1))
      try await sleeper.value
    }
    #expect(log.entries == ["cancelled at 1"])
  }

  @Test("S2: a task that is cancelled before it sleeps does not sleep")
  func cancelledBefore() throws {
    try scheduler.run { [scheduler] in
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: CancellationError.self) {
        try await scheduler.clock.sleep(for: .seconds(1))
      }
      #expect(scheduler.pendingCount == 0)
    }
    #expect(scheduler.milliseconds == 0)
  }

  @Test("S2: cancelling a task that has woken has no effect on the task")
  func cancelledAfter() throws {
    try scheduler.run { [scheduler, log] in
      let sleeper = Task {
        try await scheduler.clock.sleep(for: .milliseconds(5))
        log.add("awake")
      }
      // The cancellation is scheduled after the sleep, for the same instant, so the sleep ends first.
      try await scheduler.clock.sleep(for: .milliseconds(1))
      scheduler.at(5) { sleeper.cancel() }
      try await sleeper.value
    }
    #expect(log.entries == ["awake"])
  }

  @Test("S1: a sleep until an instant in the past ends on the next turn", arguments: [-1_000_000, 0])
  func pastDeadline(_ delay: Int) throws {
    try scheduler.run { [scheduler, log] in
      scheduler.schedule { log.add("before") }
      try await scheduler.clock.sleep(for: .milliseconds(delay))
      log.add("awake at \(scheduler.milliseconds)")
    }
    #expect(log.entries == ["before", "awake at 0"])
  }

  @Test("SchedulerClock: works with the standard library's functions for clocks")
  func standardLibrary() throws {
    let clock = scheduler.clock
    #expect(clock.minimumResolution == .nanoseconds(1))
    try scheduler.run {
      let elapsed = try await clock.measure {
        try await Task.sleep(for: .milliseconds(7), tolerance: .milliseconds(1), clock: clock)
        try await Task.sleep(until: clock.now.advanced(by: .milliseconds(5)), clock: clock)
      }
      #expect(elapsed == .milliseconds(12))
    }
  }

  @Test("SchedulerClock: a sleep begins on the actor of its task, before other work of the actor")
  @MainActor func actor() async {
    for _ in 0..<100 {
      let sleeper = Task { try? await scheduler.clock.sleep(for: .seconds(1)) }
      // The task was enqueued on the main queue before this block.
      let pending = await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume(returning: scheduler.pendingCount) }
      }
      #expect(pending == 1)
      sleeper.cancel()
      await sleeper.value
    }
  }

  @Test("SchedulerClock: a queue's clock sleeps in real time, and is cancelled immediately")
  func queue() async throws {
    let queue = DispatchQueue(label: "clock")
    let clock = SchedulerClock(queue)
    let begin = clock.now
    try await clock.sleep(for: .milliseconds(20))
    #expect(begin.duration(to: clock.now) >= .milliseconds(20))
    let sleeper = Task { try await clock.sleep(for: .seconds(3600)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test("SchedulerClock: equal deadlines of a serial queue wake in the order in which the sleeps began")
  func orderOnQueue() async throws {
    let queue = DispatchQueue(label: "clock")
    let sleeps = (0..<20).map { _ in PendingSleep() }
    let deadline = queue.now.advanced(by: .milliseconds(20))
    await withCheckedContinuation { continuation in
      for (index, sleep) in sleeps.enumerated() {
        sleep.begin(on: queue, until: deadline, tolerance: .zero) { [log] end in
          log.add("\(index) \(end)")
          if index == 19 { continuation.resume() }
        }
      }
    }
    #expect(log.entries == (0..<20).map { "\($0) reached" })
  }
}

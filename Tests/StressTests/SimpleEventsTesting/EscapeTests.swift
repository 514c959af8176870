import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Code that does not run on the scheduler, and the workarounds. The article *Testing with virtual
/// time* lists both.
struct EscapeTests {
  private let scheduler = TestScheduler()

  @Test("escape: a sleep on a real clock does not take part in virtual time")
  func realClock() {
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        try await Task.sleep(for: .seconds(3600))
      }
    }
    #expect(error?.reason == .nothingPending)
    #expect(error?.likelyCauses.contains { $0.contains("real clock") } == true)
  }

  @Test("workaround: the code takes a clock, and a test passes the scheduler's clock")
  func clockAsParameter() throws {
    @Sendable func poll(on clock: some Clock<Duration>) async throws {
      try await clock.sleep(for: .seconds(3600))
    }
    try scheduler.run { [scheduler] in
      try await poll(on: scheduler.clock)
    }
    #expect(scheduler.milliseconds == 3_600_000)
  }

  /// Asks a service that answers on a queue.
  private static func ask(on queue: some EventScheduler) async -> Int {
    await withCheckedContinuation { continuation in
      queue.schedule { continuation.resume(returning: 42) }
    }
  }

  @Test("escape: a callback of Dispatch comes from another thread")
  func dispatchCallback() {
    let queue = DispatchQueue(label: "service")
    queue.suspend()
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run { _ = await Self.ask(on: queue) }
    }
    #expect(error?.reason == .nothingPending)
    #expect(error?.likelyCauses.contains { $0.contains("Dispatch callback") } == true)
    queue.resume()
  }

  @Test("workaround: the code takes a scheduler, and a test passes the test scheduler")
  func schedulerAsParameter() throws {
    let answer = try scheduler.run { [scheduler] in await Self.ask(on: scheduler) }
    #expect(answer == 42)
  }

  @Test("workaround: the run waits for other threads")
  func awaitedCallback() throws {
    let queue = DispatchQueue(label: "service")
    let answer = try scheduler.run(externalJobs: .awaited(upTo: .seconds(20))) { await Self.ask(on: queue) }
    #expect(answer == 42)
  }

  @Test("S4: an entry that a run has awaited counts once towards the limit")
  func awaitedEntries() throws {
    let queue = DispatchQueue(label: "service")
    try scheduler.run(externalJobs: .awaited(upTo: .seconds(20)), limit: 80) {
      for _ in 0..<50 {
        await withCheckedContinuation { continuation in
          queue.asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
        }
      }
    }
  }

  @Test("S4: time does not move while a run waits for other threads")
  func noTimeoutWhileAwaiting() throws {
    let queue = DispatchQueue(label: "service")
    let answer = try scheduler.run(externalJobs: .awaited(upTo: .seconds(20))) { [scheduler] in
      try await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask { await Self.ask(on: queue) }
        group.addTask {
          try await scheduler.clock.sleep(for: .milliseconds(1))
          return -1
        }
        defer { group.cancelAll() }
        return try await group.next()
      }
    }
    #expect(answer == 42)
    #expect(scheduler.milliseconds == 0)
  }

  @Test("S4: a run that waits for other threads is stuck if none answers in time")
  func silentOutside() {
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run(externalJobs: .awaited(upTo: .milliseconds(1))) { [scheduler] in
        try await scheduler.clock.sleep(for: .seconds(1))
        try await scheduler.clock.sleep(until: .distantFuture)
      }
    }
    #expect(error?.reason == .nothingPending)
    #expect(error?.instant == .ms(1000))
    #expect(error?.likelyCauses.contains { $0.contains("takes longer") } == true)
  }

  @MainActor
  @Test("escape: the main actor has its own thread, which a run in a main-actor test blocks")
  func mainActor() {
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        await MainActor.run {}
      }
    }
    #expect(error?.reason == .nothingPending)
    #expect(error?.likelyCauses.first?.contains("use runOnMain") == true)
  }

  @MainActor
  @Test("workaround: runOnMain runs code of the main actor")
  func mainActorOnMain() async throws {
    let answer = try await scheduler.runOnMain { [scheduler] in
      try await scheduler.clock.sleep(for: .seconds(1))
      return await Task { @MainActor in 42 }.value
    }
    #expect(answer == 42)
    #expect(scheduler.milliseconds == 1000)
  }

  @Test("escape: an actor with its own executor, as global actors may have, runs on that executor")
  func actorElsewhere() throws {
    let elsewhere = HeldExecutor()
    let service = ServiceActor(elsewhere)
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run { _ = await service.answer() }
    }
    #expect(error?.reason == .nothingPending)
    #expect(elsewhere.runAll() == 1)
    scheduler.advance()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("workaround: the actor takes its executor, and a test passes the scheduler")
  func actorOnScheduler() throws {
    let service = ServiceActor(scheduler)
    let answer = try scheduler.run { await service.answer() }
    #expect(answer == 42)
  }

  @Test("escape: a default actor that other threads use runs on these threads during the use")
  func sharedActor() async throws {
    let shared = SharedActor()
    let isInside = DispatchSemaphore(value: 0)
    let mayLeave = DispatchSemaphore(value: 0)
    // The task has a thread of its own, because the global pool may have no free thread while tests run.
    let other = Task(executorPreference: QueueExecutor()) { await shared.stay(isInside, mayLeave) }
    #expect(isInside.waitOrGiveUp())
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run { _ = await shared.answer() }
    }
    #expect(error?.reason == .nothingPending)
    #expect(error?.likelyCauses.contains { $0.contains("actor that other threads use") } == true)
    mayLeave.signal()
    await other.value
  }

  @Test("workaround: the run waits for other threads, or the test creates an actor of its own")
  func awaitedActor() async throws {
    let shared = SharedActor()
    let isInside = DispatchSemaphore(value: 0)
    let mayLeave = DispatchSemaphore(value: 0)
    // The task has a thread of its own, because the global pool may have no free thread while tests run.
    let other = Task(executorPreference: QueueExecutor()) { await shared.stay(isInside, mayLeave) }
    #expect(isInside.waitOrGiveUp())
    let answer = try scheduler.run(externalJobs: .awaited(upTo: .seconds(20))) {
      async let answer = shared.answer()
      mayLeave.signal()
      return await answer
    }
    #expect(answer == 42)
    await other.value
    #expect(try scheduler.run { await SharedActor().answer() } == 42)
  }

  @MainActor
  @Test("escape: runOnMain moves time while the main actor is busy for more than sixteen turns")
  func busyMainActor() async throws {
    let turns = try await scheduler.runOnMain { [scheduler] in
      scheduler.at(1) {}
      // This is a task of its own, because the turns of the body itself pass through the scheduler.
      return await Task { @MainActor in
        var turns = 0
        while scheduler.milliseconds == 0 && turns < 100_000 {
          await mainQueueTurn()
          turns += 1
        }
        return turns
      }.value
    }
    #expect(scheduler.milliseconds == 1)
    #expect(turns >= 16)
  }

  @Test("workaround: run has no such limit")
  func busyTask() throws {
    let instants = try scheduler.run { [scheduler] in
      let sleep = Task { try await scheduler.clock.sleep(for: .milliseconds(1)) }
      for _ in 0..<200 {
        await Task.yield()
      }
      let busy = scheduler.milliseconds
      try await sleep.value
      return [busy, scheduler.milliseconds]
    }
    #expect(instants == [0, 1])
  }
}

private actor ServiceActor {
  private var answerCount = 0
  private let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ executor: any SerialExecutor) {
    self.executor = executor
  }

  /// The method uses the actor's state, because the optimiser omits the hop to an actor whose state is not
  /// used.
  @inline(never) func answer() -> Int {
    answerCount += 1
    return 42
  }
}

private actor SharedActor {
  private var answerCount = 0

  /// The method uses the actor's state, as the method of `ServiceActor` does.
  @inline(never) func answer() -> Int {
    answerCount += 1
    return 42
  }

  func stay(_ isInside: DispatchSemaphore, _ mayLeave: DispatchSemaphore) {
    isInside.signal()
    #expect(mayLeave.waitOrGiveUp())
  }
}

/// An executor on a queue of its own.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// An executor that keeps its jobs queued until it is told to run them.
private final class HeldExecutor: SerialExecutor {
  private let jobs: Guarded<[UnownedJob]> = Guarded([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs the queued jobs; returns their number.
  func runAll() -> Int {
    let taken = jobs.exchange([])
    for job in taken {
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
    return taken.count
  }
}

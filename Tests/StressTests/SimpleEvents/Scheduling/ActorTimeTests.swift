import Dispatch
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

@globalActor private actor IndexActor { static let shared: IndexActor = IndexActor() }

/// S1, S3, S5, C10: the deadlines of actors, in real and in virtual time.
@Suite(.serialized) struct ActorTimeTests {
  private actor Plain {
    func run(_ body: @Sendable () -> Void) { body() }
  }

  @Test("S1, S5: work of an actor with equal deadlines runs in the order in which it was scheduled")
  func equalDeadlines() async {
    let actor = Plain()
    let scheduler = ActorScheduler(actor)
    for round in 0..<Stress.rounds(2000) {
      let log = Log()
      let deadline = scheduler.now.advanced(by: .microseconds(round % 3 * 100))
      await withCheckedContinuation { continuation in
        for number in 0..<4 {
          scheduler.schedule(at: deadline) {
            log.add("\(number)")
            if number == 3 { continuation.resume() }
          }
        }
      }
      #expect(log.entries == ["0", "1", "2", "3"])
    }
    withExtendedLifetime(actor) {}
  }

  @Test("S2: work of an actor is cancelled by other work that is due at the same time")
  func cancelPeer() async {
    let actor = Plain()
    let scheduler = ActorScheduler(actor)
    let log = Log()
    let entries = Guarded<[any ScheduledWork]>([])
    let deadline = scheduler.now.advanced(by: .milliseconds(5))
    await withCheckedContinuation { continuation in
      for number in 0..<4 {
        let entry = scheduler.schedule(at: deadline) {
          log.add("\(number)")
          if number == 1 { entries.withLock { $0[2] }.cancel() }
          if number == 3 { continuation.resume() }
        }
        entries.withLock { $0.append(entry) }
      }
    }
    #expect(log.entries == ["0", "1", "3"])
    withExtendedLifetime(actor) {}
  }

  @Test("S2: work that its queue has released leaves no captures behind")
  func releasedAfterRun() async {
    let actor = Plain()
    let scheduler = ActorScheduler(actor)
    let log = Log()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      // SAFETY: only the scheduled work uses the variable.
      nonisolated(unsafe) let canary = Canary { log.add("released") }
      scheduler.schedule { withExtendedLifetime(canary) { log.add("ran") } }
      scheduler.schedule {
        log.add("next")
        continuation.resume()
      }
    }
    #expect(log.entries == ["ran", "released", "next"])
    withExtendedLifetime(actor) {}
  }

  @Test(
    "S3: an actor with the clock of a test scheduler delivers on the actor, in virtual time",
    arguments: [CoalescingPolicy.nextTurn, .debounce(.milliseconds(10)), .throttle(.milliseconds(10))])
  func virtualTime(_ policy: CoalescingPolicy) {
    let scheduler = TestScheduler()
    let log = Log()
    let misuses = MisuseLog()
    let collector = CoalescingCollector<Int>(
      on: .actor(IndexActor.shared, clock: scheduler), policy: policy, keeping: .newest(10),
      misuse: misuses.handler
    ) { @IndexActor batch in
      IndexActor.assertIsolated()
      log.add("\(scheduler.milliseconds): \(Array(batch))")
    }
    for (instant, number) in [(0, 1), (4, 2), (30, 3)] { scheduler.at(instant) { collector.add(number) } }
    scheduler.advance(by: .milliseconds(100))
    switch policy {
    case .nextTurn: #expect(log.entries == ["0: [1]", "4: [2]", "30: [3]"])
    case .throttle(.milliseconds(10)): #expect(log.entries == ["0: [1]", "10: [2]", "30: [3]"])
    default: #expect(log.entries == ["14: [1, 2]", "40: [3]"])
    }
    #expect(misuses.messages == [])
  }

  @Test("S3: a default actor with the clock of a test scheduler is exact in a run and under advance")
  func exact() throws {
    func trace(_ drive: (TestScheduler) throws -> Void) rethrows -> [String] {
      let scheduler = TestScheduler()
      let log = Log()
      let actor = Plain()
      let here = ActorScheduler(actor, clock: scheduler)
      let callback = CoalescingCallback(on: here, policy: .debounce(.milliseconds(10))) {
        log.add("\(here.isCurrent) \(scheduler.milliseconds)")
      }
      for instant in [0, 5, 50] { scheduler.at(instant) { callback.schedule() } }
      try drive(scheduler)
      withExtendedLifetime(actor) {}
      return log.entries
    }
    let expected = ["true 15", "true 60"]
    for _ in 0..<Stress.rounds(1000) {
      #expect(trace { $0.advance(by: .milliseconds(100)) } == expected)
      #expect(
        try trace { scheduler in
          try scheduler.run { try await scheduler.clock.sleep(for: .milliseconds(100)) }
        } == expected)
    }
  }

  @Test("S3: a delivery on the main actor runs in place when the main actor advances the clock")
  @MainActor func mainActor() {
    let scheduler = TestScheduler()
    let misuses = MisuseLog()
    var times: [Int] = []
    let callback = CoalescingCallback(
      on: .actor(MainActor.shared, clock: scheduler), policy: .debounce(.milliseconds(10)),
      misuse: misuses.handler
    ) { times.append(scheduler.milliseconds) }
    callback.schedule()
    scheduler.advance(toMilliseconds: 10)
    callback.schedule()
    scheduler.advance(toMilliseconds: 30)
    #expect(times == [10, 20])
    #expect(misuses.messages == [])
  }

  @Test("S2: work of an actor with a test scheduler's clock is cancelled by other work at the same instant")
  func cancelVirtualPeer() {
    let scheduler = TestScheduler()
    let actor = Plain()
    let here = ActorScheduler(actor, clock: scheduler)
    let log = Log()
    let entries = Guarded<[any ScheduledWork]>([])
    for number in 0..<4 {
      let entry = here.schedule(at: .ms(5)) {
        log.add("\(number)")
        if number == 1 { entries.withLock { $0[2] }.cancel() }
      }
      entries.withLock { $0.append(entry) }
    }
    scheduler.advance(toMilliseconds: 5)
    #expect(log.entries == ["0", "1", "3"])
    withExtendedLifetime(actor) {}
  }

  @Test("L6: a loop on an actor with a test scheduler's clock runs in virtual time")
  func loop() throws {
    let scheduler = TestScheduler()
    let log = Log()
    try scheduler.run {
      let actor = Plain()
      let loop = RefreshLoop(
        on: .actor(actor, clock: scheduler), policy: .debounce(.milliseconds(10))
      ) {
        log.add("begin \(scheduler.milliseconds)")
        try? await scheduler.clock.sleep(for: .milliseconds(7))
        log.add("end \(scheduler.milliseconds)")
      }
      loop.request()
      await loop.settle()
      withExtendedLifetime(actor) {}
    }
    #expect(log.entries == ["begin 10", "end 17"])
  }

  @Test(
    "ActorScheduler: a delivery runs at the priority of the task that signalled",
    arguments: [CoalescingPolicy.nextTurn, .debounce(.milliseconds(1))])
  func priority(_ policy: CoalescingPolicy) async {
    for priority in [TaskPriority.background, .utility, .high] {
      let actor = Plain()
      let delivered: TaskPriority = await withCheckedContinuation { continuation in
        let callback = Guarded<CoalescingCallback?>(nil)
        let made = CoalescingCallback(on: .actor(actor), policy: policy) {
          continuation.resume(returning: Task.currentPriority)
          _ = callback.exchange(nil)
        }
        _ = callback.exchange(made)
        Task.detached(priority: priority) { made.schedule() }
      }
      #expect(delivered == priority)
      withExtendedLifetime(actor) {}
    }
  }

  @Test("S1: deadlines at the ends of the range are defined", arguments: [Int64.min, -1, 0, .max])
  func extremeDeadlines(_ nanoseconds: Int64) async {
    let actor = Plain()
    let scheduler = ActorScheduler(actor)
    let deadline = EventInstant(nanoseconds: nanoseconds)
    if nanoseconds == .max {
      let canary = Flag()
      let entry = scheduler.schedule(at: deadline) { canary.set() }
      entry.cancel()
      #expect(!canary.isSet)
    } else {
      await withCheckedContinuation { continuation in
        scheduler.schedule(at: deadline) { continuation.resume() }
      }
    }
    withExtendedLifetime(actor) {}
  }

  @Test("S3, S6: due work is not run in place if the actor's executor does not know where the caller is")
  func unknownExecutor() {
    let executor = ManualExecutor()
    let actor = ActorOnExecutor(executor)
    let scheduler = TestScheduler()
    let here = ActorScheduler(actor, clock: scheduler)
    let log = Log()
    here.schedule { log.add("ran") }
    scheduler.advance()
    #expect(log.entries == [])
    executor.runAll()
    #expect(log.entries == ["ran"])
    withExtendedLifetime(actor) {}
  }

  @Test("S2: work that has run is released, even if its entry is kept")
  func releasedThoughEntryIsKept() {
    let scheduler = TestScheduler()
    let actor = Plain()
    let here = ActorScheduler(actor, clock: scheduler)
    let log = Log()
    let entry = { () -> any ScheduledWork in
      // SAFETY: only the scheduled work uses the variable.
      nonisolated(unsafe) let canary = Canary { log.add("released") }
      return here.schedule(at: .ms(5)) { withExtendedLifetime(canary) { log.add("ran") } }
    }()
    scheduler.advance(toMilliseconds: 5)
    #expect(log.entries == ["ran", "released"])
    withExtendedLifetime((actor, entry)) {}
  }

  @Test("ActorScheduler: work that waits for the next job keeps its priority")
  func priorityOfNextJob() async {
    let actor = Plain()
    let scheduler = ActorScheduler(actor)
    let priority: TaskPriority = await withCheckedContinuation { continuation in
      Task.detached(priority: .background) {
        scheduler.schedule {
          scheduler.schedule { continuation.resume(returning: Task.currentPriority) }
        }
      }
    }
    #expect(priority == .background)
    withExtendedLifetime(actor) {}
  }

  @Test("ActorWorkQueue: a job has the highest priority of the work that is queued for it")
  func highestPriority() {
    final class Line: Sendable { let line: ActorWorkQueue = ActorWorkQueue() }
    let owner = Line()
    let first = owner.line.add(
      {
        for priority in [TaskPriority.background, .high, .low] { _ = owner.line.add({}, at: priority) }
      }, at: .background)
    #expect(first == .background)
    #expect(owner.line.drain(at: .background) == .high)
    #expect(owner.line.drain(at: .high) == nil)
  }

  @Test(
    "ActorWorkQueue: work of a higher priority than the queued job has its own job, and the first job drains all work"
  )
  func oneJobOfEachPriority() {
    let line = ActorWorkQueue()
    let log = Log()
    let priorities: [TaskPriority] = [.background, .utility, .background, .high, .utility]
    let jobs = priorities.enumerated().map { index, priority in
      line.add({ log.add("\(index)") }, at: priority)
    }
    #expect(jobs == [.background, .utility, nil, .high, nil])
    #expect(line.drain(at: .high) == nil)
    #expect(log.entries == ["0", "1", "2", "3", "4"])
    // The jobs of the lower priorities are still queued.
    #expect(line.add({ log.add("5") }, at: .utility) == nil)
    #expect(line.add({ log.add("6") }, at: .high) == .high)
    #expect(line.drain(at: .utility) == nil)
    #expect(line.drain(at: .background) == nil)
    #expect(line.drain(at: .high) == nil)
    #expect(log.entries.count == 7)
    #expect(line.add({}, at: .background) == .background)
  }
}

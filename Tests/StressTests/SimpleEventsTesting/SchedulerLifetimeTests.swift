import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// The lifetimes of the scheduler and of the tasks that run on it.
struct SchedulerLifetimeTests {
  @Test("TestScheduler: a queued job does not keep its scheduler alive")
  func queuedJob() async {
    weak var weakScheduler: TestScheduler?
    let log = Log()
    var task: Task<Void, Never>?
    do {
      let scheduler = TestScheduler()
      weakScheduler = scheduler
      let started = Guarded<Task<Void, Never>?>(nil)
      scheduler.schedule { log.add("work") }
      scheduler.schedule { started.withLock { $0 = Task { log.add("task") } } }
      #expect(scheduler.run(limit: 2) == 2)
      #expect(scheduler.pendingCount == 1)
      task = started.withLock { $0 }
    }
    #expect(weakScheduler == nil)
    // A task whose job was caught on its way to the global pool runs there.
    await task?.value
    #expect(log.entries == ["work", "task"])
  }

  @Test("TestScheduler: a task that prefers the scheduler keeps it alive until it has ended")
  func preferringTask() async {
    weak var weakScheduler: TestScheduler?
    let hasEnded = Flag()
    do {
      let scheduler = TestScheduler()
      weakScheduler = scheduler
      Task(executorPreference: scheduler) { hasEnded.set() }
    }
    weakScheduler?.advance()
    #expect(hasEnded.isSet)
    #expect(weakScheduler == nil)
  }

  @Test("TestScheduler: the captures of a body are released when the run returns")
  func captures() throws {
    let scheduler = TestScheduler()
    weak var weakCanary: SharedCanary?
    do {
      let canary = SharedCanary()
      weakCanary = canary
      try scheduler.run {
        try await scheduler.clock.sleep(for: .seconds(1))
        withExtendedLifetime(canary) {}
      }
    }
    #expect(weakCanary == nil)
  }

  private final class SharedCanary: Sendable {}
}

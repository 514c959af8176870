import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// S6: whether an actor's scheduler knows that its caller is on the actor.
struct ActorKnowledgeTests {
  private actor Plain {
    func run(_ body: @Sendable () -> Void) { body() }
  }

  private func note(_ scheduler: ActorScheduler, _ log: Log) {
    log.add("\(scheduler.isCurrent) \(scheduler.isKnownElsewhere)")
  }

  @Test("S6: the executor of a default actor is always known")
  func defaultActor() async {
    let actor = Plain()
    let scheduler = ActorScheduler(actor)
    let log = Log()
    await actor.run { note(scheduler, log) }
    await Plain().run { note(scheduler, log) }
    onThreads(1) { _ in note(scheduler, log) }
    await Task.detached { note(scheduler, log) }.value
    #expect(log.entries == ["true false", "false true", "false true", "false true"])
  }

  @Test("S6: the main actor is known inside tasks and on the main queue")
  func mainActor() async {
    let scheduler = ActorScheduler(MainActor.shared)
    let log = Log()
    await MainActor.run { note(scheduler, log) }
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        note(scheduler, log)
        continuation.resume()
      }
    }
    onThreads(1) { _ in note(scheduler, log) }
    #expect(log.entries == ["true false", "true false", "false true"])
  }

  @Test("S6: if an executor does not know where a caller is, only its own jobs are known")
  func muteExecutor() async {
    let actor = ActorOnExecutor(MuteExecutor())
    let scheduler = ActorScheduler(actor)
    let log = Log()
    await actor.run { note(scheduler, log) }
    onThreads(1) { _ in note(scheduler, log) }
    #expect(log.entries == ["true false", "false false"])
  }

  @Test("S6: no caller is known to be on an actor that is deallocated")
  func deallocatedActor() {
    let scheduler = ActorScheduler(Plain())
    #expect(!scheduler.isCurrent)
    #expect(!scheduler.isKnownElsewhere)
  }

  @Test("S6: a scheduler without an isKnownElsewhere of its own returns the opposite of isCurrent")
  func clientScheduler() {
    struct Client: EventScheduler {
      let isCurrent: Bool
      var now: EventInstant { EventInstant(nanoseconds: 0) }
      func schedule(_ work: @escaping @Sendable () -> Void) {}
      func schedule(
        at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
      ) -> any ScheduledWork { Nothing() }
    }
    final class Nothing: ScheduledWork { func cancel() {} }
    #expect(Client(isCurrent: false).isKnownElsewhere)
    #expect(!Client(isCurrent: true).isKnownElsewhere)
  }

  @Test("C7, S6: a flush is flagged only if the caller is known to be elsewhere", .enabled(if: isDebug))
  func flush() {
    let misuses = MisuseLog()
    let actors: [any Actor] = [Plain(), ActorOnExecutor(MuteExecutor())]
    for actor in actors {
      CoalescingCallback(on: .actor(actor), misuse: misuses.handler) {}.flush()
    }
    CoalescingCallback(on: .actor(Plain()), misuse: misuses.handler) {}.flush()
    #expect(misuses.kinds == [.flushedOffScheduler])
  }

  @Test("E9, S6: a block of an actor is not flagged if its executor does not know where the caller is")
  func block() async {
    let misuses = MisuseLog()
    let actor = ActorOnExecutor(MuteExecutor())
    let scheduler = TestScheduler()
    let callback = await actor.callback(on: scheduler, misuses.handler)
    callback.schedule()
    scheduler.run()
    #expect(misuses.kinds == [])
  }
}

extension ActorOnExecutor {
  /// Returns a callback whose block is isolated to the actor, on a scheduler that is not the actor's.
  fileprivate func callback(on scheduler: TestScheduler, _ misuse: MisuseHandler) -> CoalescingCallback {
    CoalescingCallback(on: scheduler, misuse: misuse) { _ = self }
  }
}

import Observation
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// O5 with tasks, in virtual time.
struct ObservationSequenceTests {
  @MainActor @Observable final class Model {
    var size: Int = 0
  }

  private let scheduler = TestScheduler()
  private let log = Log()

  @Test("O5: a loop over the notifications of a temporary event receives each change")
  @MainActor func temporaryEvent() async throws {
    let model = Model()
    try await scheduler.runOnMain { [scheduler, log] in
      let loop = Task {
        for await _ in ObservationEvent(on: .actor(MainActor.shared, clock: scheduler), { _ = model.size })
          .notifications
        {
          log.add("size \(model.size)")
        }
        log.add("end")
      }
      for size in 1...3 {
        try await scheduler.clock.sleep(for: .milliseconds(1))
        model.size = size
      }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      loop.cancel()
      await loop.value
    }
    #expect(log.entries == ["size 1", "size 2", "size 3", "end"])
  }

  /// Returns the notifications of a temporary event. The log receives a line when the event releases its
  /// closure.
  private static func notifications(_ scheduler: TestScheduler, _ log: Log) -> EventNotifications {
    let canary = Canary { log.add("released") }
    return ObservationEvent(on: scheduler) { withExtendedLifetime(canary) {} }.notifications
  }

  @Test("O5: the sequence and its iterators keep the event alive until the last of them is released")
  func kept() throws {
    var notifications: EventNotifications? = Self.notifications(scheduler, log)
    var iterator = notifications?.makeAsyncIterator()
    notifications = nil
    #expect(log.entries.isEmpty)
    iterator = nil
    #expect(log.entries == ["released"])
    withExtendedLifetime(iterator) {}
  }

  @Test("O5: the cancellation of a loop releases the event, even while the loop's iterator is alive")
  func cancelled() throws {
    try scheduler.run { [scheduler, log] in
      let loop = Task {
        var iterator = Self.notifications(scheduler, log).makeAsyncIterator()
        _ = await iterator.next()
        log.add("ended")
        withExtendedLifetime(iterator) {}
      }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      log.add("cancelled")
      loop.cancel()
      await loop.value
    }
    #expect(log.entries == ["cancelled", "released", "ended"])
  }

  @Test("O5, N3: notifications of another type of event do not keep it alive, and end with it")
  func otherEvents() throws {
    try scheduler.run { [scheduler] in
      for await _ in LazySimpleEvent(on: scheduler).notifications { Issue.record("no event can notify") }
    }
  }
}

import Dispatch
import Observation
import SimpleEvents
import TestSupport
import Testing

/// S7, O4: an event that is deallocated in a setter after its scheduler was lost.
struct ObservationLossTests {
  @Observable fileprivate final class Model {
    var value: Int = 0
  }

  /// A scheduler that runs nothing. It keeps one event until a turn is requested.
  private final class LostScheduler: EventScheduler {
    private final class Entry: ScheduledWork { func cancel() {} }

    /// Guards the event. It is released after the lock is released.
    let event: Guarded<ObservationEvent?> = Guarded(nil)
    let now: EventInstant = EventInstant(nanoseconds: 0)
    let isCurrent: Bool = true

    func schedule(_ work: @escaping @Sendable () -> Void) { _ = event.exchange(nil) }

    func schedule(
      at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
    ) -> any ScheduledWork { Entry() }
  }

  @Test("O4, S7: if a lost scheduler releases an event, the setter does not release the event's closure")
  func releasedLater() {
    let scheduler = LostScheduler()
    // SAFETY: the closure reads the variable on this thread.
    nonisolated(unsafe) let model = Model()
    let released = DispatchSemaphore(value: 0)
    let setter = ThreadIdentity.current
    let isOnSetter = Flag()
    let canary = Guarded<Canary?>(
      Canary {
        isOnSetter.set(ThreadIdentity.current == setter)
        released.signal()
      })
    _ = scheduler.event.exchange(
      ObservationEvent(on: scheduler) { [canary = canary.exchange(nil)] in
        withExtendedLifetime(canary) { _ = model.value }
      })
    model.value = 1
    #expect(released.waitOrGiveUp())
    #expect(!isOnSetter.isSet)
  }
}

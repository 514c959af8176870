import Dispatch
import Observation
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// O2: a deadline that is reached during a run of the closure on another thread.
struct ObservationAlarmTests {
  @Observable fileprivate final class Model {
    var value: Int = 0
  }

  @Test("O2, C10: an alarm during a run of the closure on another thread notifies after the run")
  func alarmDuringRun() {
    let scheduler = TestScheduler()
    let log = Log()
    let isHeld = Flag()
    let begun = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    // SAFETY: the variable changes before the other thread reads it.
    nonisolated(unsafe) let model = Model()
    let event = ObservationEvent(on: scheduler, policy: .audit(.milliseconds(10))) {
      _ = model.value
      guard isHeld.isSet else { return }
      isHeld.set(false)
      begun.signal()
      end.wait()
    }
    let token = event.addObserver { _ in log.add("notified") }
    model.value = 1
    isHeld.set()
    let hasEnded = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      event.flush()
      hasEnded.signal()
    }
    #expect(begun.waitOrGiveUp())
    scheduler.advance(toMilliseconds: 10)
    #expect(log.entries == [])
    end.signal()
    #expect(hasEnded.waitOrGiveUp())
    scheduler.run()
    #expect(log.entries == ["notified"])
    withExtendedLifetime(token) {}
  }
}

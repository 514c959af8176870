import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Observers in delegate style that an event flags, and observers that it does not flag.
struct DelegateMisuseTests {
  private final class Listener: SimpleEventObserver {
    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {}
  }

  private let misuses = MisuseLog()

  @Test("H6: a deallocated observer is flagged once when its lazy event is deallocated")
  func deallocatedObserverOfDeallocatedEvent() {
    do {
      let event = LazySimpleEvent(on: TestScheduler(), misuse: misuses.handler)
      event.addObserver(Listener())
      event.trigger()
      event.flush()
    }
    #expect(misuses.kinds == [.neverRemoved])
  }

  /// An observer whose `deinit` waits before it removes the observer.
  // SAFETY: `@unchecked`, because the properties are constant, and any thread may remove an observer (H5).
  private final class SlowListener: SimpleEventObserver, @unchecked Sendable {
    private let event: SimpleEvent
    private let deinitBegan: DispatchSemaphore
    private let cycleEnded: DispatchSemaphore

    init(_ event: SimpleEvent, deinitBegan: DispatchSemaphore, cycleEnded: DispatchSemaphore) {
      self.event = event
      self.deinitBegan = deinitBegan
      self.cycleEnded = cycleEnded
    }

    deinit {
      deinitBegan.signal()
      cycleEnded.wait()
      event.removeObserver(self)
    }

    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {}
  }

  @Test("H6, H7: an observer is not flagged while another thread runs its deinit")
  func deinitOnOtherThread() {
    let event = SimpleEvent(misuse: misuses.handler)
    let deinitBegan = DispatchSemaphore(value: 0)
    let cycleEnded = DispatchSemaphore(value: 0)
    let isHandedOver = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "release")
    do {
      let listener = SlowListener(event, deinitBegan: deinitBegan, cycleEnded: cycleEnded)
      event.addObserver(listener)
      queue.async {
        isHandedOver.wait()
        withExtendedLifetime(listener) {}
      }
    }
    isHandedOver.signal()
    deinitBegan.wait()
    event.trigger()
    cycleEnded.signal()
    queue.sync {}
    #expect(misuses.kinds == [])
  }

  @Test("H6: an observer that was added through a function value has no call site inside the library")
  func addedThroughFunctionValue() {
    let event = SimpleEvent(misuse: misuses.handler)
    let listener = Listener()
    [listener, listener].forEach(event.addObserver)
    event.removeObserver(listener)
    #expect(misuses.kinds == [.addedTwice])
    #expect(misuses.messages.first?.contains("SimpleEvents/SimpleEvent.swift") == false)
  }
}

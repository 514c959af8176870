import Dispatch
import SimpleEvents

extension MisuseScenario {
  private final class Listener: SimpleEventObserver {
    var onTrigger: () -> Void = {}
    func simpleEventDidTrigger(_ event: any SimpleEventObservable) { onTrigger() }
  }

  func misuseEvent() {
    let listener = Listener()
    var token: (any SimpleEventToken)?
    var calls = 0
    switch self {
    case .addedTwiceThroughExistential:
      let event: any SimpleEventObservable = SimpleEvent()
      site(#line + 2)
      event.addObserver(listener)
      event.addObserver(listener)
      event.removeObserver(listener)
    case .removedTwiceFromEvent:
      let event = LazySimpleEvent()
      event.addObserver(listener)
      event.removeObserver(listener)
      site(#line + 1)
      event.removeObserver(listener)
    case .neverRemovedFromQueue:
      // The delivery on the queue finds that the observer is deallocated. The observer's deinitializer could
      // still run on another thread, so the observer is flagged when the event is deallocated.
      let queue = DispatchQueue(label: "queue")
      let done = DispatchSemaphore(value: 0)
      do {
        let event = LazySimpleEvent(on: queue, label: "queued")
        site(#line + 1)
        event.addObserver(Listener())
        event.addObserver(&token) { _ in done.signal() }
        event.trigger()
        done.wait()
        queue.sync {}
      }
    case .nestedTriggerWithToken:
      let event = SimpleEvent(label: "changes")
      site(#line + 1)
      event.addObserver(&token) { _ in
        calls += 1
        event.trigger(if: calls == 1)
      }
      event.trigger()
      require(calls == 2)
    case .nestedTriggerWithDelegate:
      let event = SimpleEvent()
      site(#line + 1)
      event.addObserver(listener)
      listener.onTrigger = {
        calls += 1
        event.trigger(if: calls == 1)
      }
      event.trigger()
      require(calls == 2)
      event.removeObserver(listener)
    default:
      let queue = DispatchQueue(label: "queue")
      let event = SimpleEvent(label: "queued")
      site(#line + 1)
      event.addObserver(&token) { _ in
        calls += 1
        event.trigger(if: calls == 1)
      }
      let callback = CoalescingCallback(on: queue) { event.trigger() }
      callback.schedule()
      queue.sync {}
      require(calls == 2)
    }
    token?.remove()
  }
}

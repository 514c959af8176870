import Dispatch
import SimpleEvents
import TestSupport

extension MisuseScenario {
  /// Calls a block of the main actor on a background queue.
  func misuseIsolation() {
    let queue = DispatchQueue(label: "queue")
    let calls = Log()
    var token: (any SimpleEventToken)?
    switch self {
    case .wrongIsolation:
      let event = LazySimpleEvent(on: queue, label: "queued")
      site(#line + 1)
      event.addObserver(&token) { @MainActor _ in calls.add("call") }
      event.trigger()
      queue.sync {}
    case .wrongIsolationThroughExistential:
      let proxy = SimpleEventProxy(of: [], on: queue)
      let event: any SimpleEventObservable = proxy
      site(#line + 1)
      token = event.addObserver { @MainActor _ in calls.add("call") }
      proxy.trigger()
      queue.sync {}
    case .wrongIsolationOfClassicType:
      let event = LazySimpleEvent(on: queue)
      let classic = ClassicObservable(event)
      site(#line + 1)
      token = classic.addObserver { @MainActor _ in calls.add("call") }
      event.trigger()
      queue.sync {}
    case .wrongIsolationOfCallback:
      site(#line + 1)
      let callback = CoalescingCallback(on: queue) { @MainActor in calls.add("call") }
      callback.schedule()
      queue.sync {}
      callback.cancel()
    case .wrongIsolationOfGroup:
      let event = SimpleEvent()
      site(#line + 1)
      let group = SimpleEventGroupObserver(of: event, on: queue) { @MainActor _ in calls.add("call") }
      event.trigger()
      queue.sync {}
      group.remove()
    default:
      site(#line + 1)
      let collector = CoalescingCollector<Int>(on: queue, keeping: .newest(1)) { @MainActor _ in
        calls.add("call")
      }
      collector.add(1)
      queue.sync {}
      collector.cancel()
    }
    token?.remove()
    require(calls.entries == ["call"])
  }
}

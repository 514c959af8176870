import Dispatch
import Foundation
import SimpleEvents
import SimpleEventsTesting

private protocol Listening {
  func hear()
}

private final class Listener: Listening, SimpleEventObserver {
  var onHear: () -> Void = {}
  func hear() { onHear() }
  func simpleEventDidTrigger(_ event: any SimpleEventObservable) { onHear() }
}

private struct ValueListener: Listening {
  func hear() {}
}

/// Something that is wrong, done with the default handler in a process of its own.
///
/// In a debug build it does not come back. In a release build it goes on, and then checks the state that
/// is promised for that.
enum MisuseScenario: String, CaseIterable, Codable, Sendable {
  case addedTwice
  case addedTwiceThroughExistential
  case notAnObject
  case notInstalled
  case removedTwiceFromEvent
  case neverRemoved
  case neverRemovedFromQueue
  case nestedCycle
  case nestedTriggerWithToken
  case nestedTriggerWithDelegate
  case nestedTriggerOnQueue
  case wrongIsolation
  case wrongIsolationThroughExistential
  case flushedElsewhere
  case groupFlushedElsewhere
  case notANumber
  case noEdges
  case nestedAdvance

  /// What the message must say, besides where the observer concerned was registered.
  var parts: [String] {
    switch self {
    case .addedTwice: ["\"model\"", "Listener", "again", "remove it first"]
    case .addedTwiceThroughExistential: ["SimpleEvent", "Listener", "again", "remove it first"]
    case .notAnObject: ["\"model\"", "ValueListener", "make the type a class"]
    case .notInstalled: ["ObserverHub<", "Listener", "not installed", "exactly once"]
    case .removedTwiceFromEvent: ["LazySimpleEvent", "Listener", "not installed", "exactly once"]
    case .neverRemoved: ["\"model\"", "Listener", "without having been removed", "token"]
    case .neverRemovedFromQueue: ["\"queued\"", "Listener", "without having been removed", "token"]
    case .nestedCycle: ["\"model\"", "Listener", "inside another one", "LazySimpleEvent"]
    case .nestedTriggerWithToken: ["\"changes\"", "a block", "inside another one", "coalesced"]
    case .nestedTriggerWithDelegate: ["SimpleEvent", "Listener", "inside another one", "coalesced"]
    case .nestedTriggerOnQueue: ["\"queued\"", "a block", "inside another one", "coalesced"]
    case .wrongIsolation: ["\"queued\"", "MainActor", "main queue", "isolation: nil"]
    case .wrongIsolationThroughExistential: ["SimpleEventProxy", "MainActor", "isolation: nil"]
    case .flushedElsewhere: ["CoalescingCallback", "off its scheduler", "queue.sync"]
    case .groupFlushedElsewhere: ["\"refresh\"", "off its scheduler", "queue.sync"]
    case .notANumber: ["debounceTimeout", "not a number", "seconds"]
    case .noEdges: ["neither a leading nor a trailing edge", "at least one edge"]
    case .nestedAdvance: ["TestScheduler", "inside work", "schedule more work"]
    }
  }

  /// Whether the message names a file and line of this file: that of the observer, or else of what is wrong.
  var hasSite: Bool {
    switch self {
    case .notInstalled, .removedTwiceFromEvent, .nestedAdvance: false
    default: true
    }
  }

  func run() {
    switch self {
    case .addedTwice, .notAnObject, .notInstalled, .neverRemoved, .nestedCycle: misuseHub()
    case .flushedElsewhere, .groupFlushedElsewhere, .notANumber, .noEdges, .nestedAdvance: misuseTime()
    default: misuseEvent()
    }
  }

  private func misuseHub() {
    let hub = ObserverHub<any Listening>(label: self == .notInstalled ? nil : "model")
    let listener = Listener()
    switch self {
    case .addedTwice:
      site(#line + 1)
      hub.add(listener)
      hub.add(listener)
      require(count(hub) == 1)
      hub.remove(listener)
    case .notAnObject:
      site(#line + 1)
      hub.add(ValueListener())
    case .notInstalled:
      hub.remove(listener)
    case .neverRemoved:
      site(#line + 1)
      hub.add(Listener())
      require(hub.isEmpty)
    default:
      site(#line + 1)
      hub.add(listener)
      var depth = 0
      var deepest = 0
      listener.onHear = {
        depth += 1
        deepest = max(deepest, depth)
        if depth == 1 { hub.forEach { $0.hear() } }
        depth -= 1
      }
      hub.forEach { $0.hear() }
      require(deepest == 2)
      hub.remove(listener)
    }
    require(hub.isEmpty)
  }

  private func misuseEvent() {
    let listener = Listener()
    var token: (any SimpleEventToken)?
    var calls = 0
    switch self {
    case .addedTwiceThroughExistential:
      let event: any SimpleEventObservable = SimpleEvent()
      site(#line + 1)
      event.addObserver(listener)
      event.addObserver(listener)
      event.removeObserver(listener)
    case .removedTwiceFromEvent:
      let event = LazySimpleEvent()
      event.addObserver(listener)
      event.removeObserver(listener)
      event.removeObserver(listener)
    case .neverRemovedFromQueue:
      // Found dead in a delivery on a queue. Who added it on another thread might be removing it this
      // very moment, so that it is certain, and said, when the event goes.
      let queue = DispatchQueue(label: "queue")
      let done = DispatchSemaphore(value: 0)
      do {
        let event = LazySimpleEvent(queue: queue, label: "queued")
        site(#line + 1)
        event.addObserver(Listener())
        event.addObserver(&token, isolation: nil) { _ in done.signal() }
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
      listener.onHear = {
        calls += 1
        event.trigger(if: calls == 1)
      }
      event.trigger()
      require(calls == 2)
      event.removeObserver(listener)
    case .nestedTriggerOnQueue:
      let queue = DispatchQueue(label: "queue")
      let event = SimpleEvent(label: "queued")
      site(#line + 1)
      event.addObserver(&token, isolation: nil) { _ in
        calls += 1
        event.trigger(if: calls == 1)
      }
      let callback = CoalescingCallback(queue: queue) { event.trigger() }
      callback.schedule()
      queue.sync {}
      require(calls == 2)
    case .wrongIsolation:
      let queue = DispatchQueue(label: "queue")
      let event = LazySimpleEvent(queue: queue, label: "queued")
      site(#line + 1)
      event.addObserver(&token, isolation: MainActor.shared) { _ in }
      event.trigger()
      queue.sync {}
    default:
      let queue = DispatchQueue(label: "queue")
      let proxy = SimpleEventProxy(queue: queue, events: [])
      let event: any SimpleEventObservable = proxy
      site(#line + 1)
      token = event.addObserver(isolation: MainActor.shared) { _ in }
      proxy.trigger()
      queue.sync {}
    }
    token?.remove()
  }

  private func misuseTime() {
    let event = SimpleEvent()
    var runs = 0
    switch self {
    case .flushedElsewhere:
      site(#line + 1)
      let callback = CoalescingCallback(queue: DispatchQueue(label: "queue"), policy: .debounce(.seconds(60)))
      {
        runs += 1
      }
      callback.schedule()
      callback.flush()
      require(runs == 1)
    case .groupFlushedElsewhere:
      let queue = DispatchQueue(label: "queue")
      site(#line + 1)
      let group = SimpleEventGroupObserver(
        events: event, policy: .audit(.seconds(60)), scheduler: queue, label: "refresh"
      ) { _ in runs += 1 }
      event.trigger()
      group.flush()
      require(runs == 1)
    case .notANumber:
      site(#line + 1)
      let group = SimpleEventGroupObserver(events: event, debounceTimeout: .nan) { _ in }
      group.remove()
    case .noEdges:
      let scheduler = TestScheduler()
      site(#line + 1)
      let callback = CoalescingCallback(scheduler: scheduler, policy: .throttle(.seconds(1), edges: [])) {
        runs += 1
      }
      callback.schedule()
      scheduler.run()
      require(runs == 0)
    default:
      let scheduler = TestScheduler()
      scheduler.schedule { scheduler.advance(by: .seconds(1)) }
      scheduler.run()
      require(scheduler.now == EventInstant(nanoseconds: 0))
    }
  }

  private func count(_ hub: ObserverHub<any Listening>) -> Int {
    var count = 0
    hub.forEach { _ in count += 1 }
    return count
  }
}

/// Tells the parent process where the observer that the message is to name is registered.
private func site(_ line: Int) {
  FileHandle.standardError.write(Data("site \(line)\n".utf8))
}

/// What must hold where the program goes on.
private func require(_ condition: Bool, line: Int = #line) {
  guard condition else { fatalError("the state after the misuse is wrong, at line \(line)") }
}

internal import ExplorerEngine
internal import SimpleEvents

/// An observer of a hub. It records its calls.
private protocol Listener: AnyObject, Sendable {
  func notice()
}

// SAFETY: all fibers run on one thread.
private final class NamedListener: Listener, @unchecked Sendable {
  let name: Int
  var action: () -> Void = {}
  private let calls: Calls
  private weak var hub: ObserverHub<any Listener>?
  private let tracked: LeakCheckedObject

  /// - Parameter hub: The hub from which the listener removes itself in its deinit; nil if there is none.
  init(_ name: Int, _ calls: Calls, leaves hub: ObserverHub<any Listener>? = nil) {
    self.name = name
    self.calls = calls
    self.hub = hub
    tracked = LeakCheckedObject(calls.alive)
  }

  deinit {
    hub?.remove(self)
  }

  func notice() {
    expectUnlocked()
    calls.names.append(name)
    step()
    action()
  }
}

/// The calls of listeners in order, and the misuse that was reported.
// SAFETY: all fibers run on one thread.
private final class Calls: @unchecked Sendable {
  var names: [Int] = []
  var misuse: [Misuse.Kind] = []
  let alive: Counter = Counter()

  func makeHub() -> ObserverHub<any Listener> {
    makeSharedHub { [self] misuse in
      expectUnlocked()
      self.misuse.append(misuse.kind)
    }
  }
}

/// One thread calls the observers while another thread removes and adds observers.
let hubChanges: Scenario = Scenario("hub-changes", "H1 H5 H6") {
  let calls = Calls()
  let hub = calls.makeHub()
  let listeners = (0..<4).map { NamedListener($0, calls) }
  for listener in listeners.prefix(3) {
    hub.add(listener)
  }
  parallel(
    { hub.forEach { $0.notice() } },
    {
      hub.remove(listeners[1])
      hub.add(listeners[3])
    })
  expect(calls.names == calls.names.sorted(), "H1: observers are called in the order they were added")
  expect(calls.names.contains(0) && calls.names.contains(2), "H1: a cycle calls all observers that stay")
  calls.names = []
  hub.forEach { $0.notice() }
  expect(calls.names == [0, 2, 3], "H1: the next cycle calls the observers that are installed")
  for name in [0, 2, 3] {
    hub.remove(listeners[name])
  }
  expect(hub.isEmpty && calls.misuse.isEmpty, "H6: a correct use is not flagged")
}

/// An observer removes the next observer and adds another one, while a second thread calls all observers.
let hubReentrancy: Scenario = Scenario("hub-reentrancy", "H3 H5") {
  let calls = (Calls(), Calls())
  let hub = calls.0.makeHub()
  let listeners = (0..<3).map { NamedListener($0, calls.0) }
  hub.add(listeners[0])
  hub.add(listeners[1])
  let changer = engine.current + 1
  listeners[0].action = {
    guard engine.current == changer else { return }
    listeners[0].action = {}
    hub.remove(listeners[1])
    hub.add(listeners[2])
    hub.add(listeners[1])
  }
  var own: [Int] = []
  parallel(
    {
      hub.forEach {
        own.append(($0 as! NamedListener).name); $0.notice()
      }
    },
    { hub.forEach { $0.notice() } })
  expect(own == [0], "H3: neither an added observer nor a removed one is called in the cycle in progress")
  calls.0.names = []
  hub.forEach { $0.notice() }
  expect(calls.0.names == [0, 2, 1], "H1: observers are called in the order they were added")
  for listener in listeners {
    hub.remove(listener)
  }
  expect(calls.0.misuse.isEmpty, "H6: a correct use is not flagged")
}

/// One thread calls the observers while another thread releases the last reference to one of them.
private func hubDeath(removesItself: Bool) -> Scenario {
  Scenario("hub-\(removesItself ? "removal-in-deinit" : "deallocated-observer")", "H2 H6 H7") {
    let calls = Calls()
    var hub: ObserverHub<any Listener>? = calls.makeHub()
    let kept = NamedListener(0, calls)
    var dropped: NamedListener? = NamedListener(1, calls, leaves: removesItself ? hub : nil)
    hub!.add(kept)
    hub!.add(dropped!)
    parallel(
      { hub!.forEach { $0.notice() } },
      {
        dropped = nil
        _ = hub!.isEmpty
      })
    expect(calls.alive.value == 1, "H2: a hub keeps no observer alive")
    calls.names = []
    hub!.forEach { $0.notice() }
    expect(calls.names == [0], "H2: a deallocated observer is not called")
    hub!.remove(kept)
    expect(hub!.isEmpty, "H6: a deallocated observer does not count")
    hub = nil
    expect(
      calls.misuse == (removesItself ? [] : [.neverRemoved]),
      "H6: an observer is flagged if and only if it was not removed before its deallocation")
  }
}

/// Two threads add the same observer and remove it.
let hubSameObserver: Scenario = Scenario("hub-same-observer", "H6") {
  let calls = Calls()
  let hub = calls.makeHub()
  let listener = NamedListener(0, calls)
  parallel(
    { hub.add(listener) },
    { hub.add(listener) })
  hub.forEach { $0.notice() }
  expect(calls.names == [0], "H6: an observer that is added twice is registered once")
  parallel(
    { hub.remove(listener) },
    { hub.remove(listener) })
  expect(hub.isEmpty, "H6: an observer that was removed is not registered")
  expect(
    calls.misuse == [.addedTwice, .notInstalled], "H6: the second addition and the second removal are flagged"
  )
}

/// A callback releases the last reference to the hub while another thread removes an observer.
let hubEnd: Scenario = Scenario("hub-end", "H3 H5") {
  let calls = Calls()
  var references: [ObserverHub<any Listener>?] = Array(repeating: calls.makeHub(), count: 2)
  let listeners = (0..<2).map { NamedListener($0, calls) }
  references[0]!.add(listeners[0])
  references[0]!.add(listeners[1])
  listeners[0].action = { references[0] = nil }
  parallel(
    { references[0]!.forEach { $0.notice() } },
    {
      references[1]!.remove(listeners[1])
      references[1] = nil
    })
  expect(calls.names.first == 0, "H3: a callback may drop the hub's last reference")
}

let hubDeaths: [Scenario] = [hubDeath(removesItself: true), hubDeath(removesItself: false)]

import SimpleEvents
import TestSupport
import Testing

/// The contracts H1 to H5 and H7 to H9 of a hub that is used correctly.
struct ObserverHubTests {
  private protocol Listening: AnyObject {
    func hear(_ sound: String)
  }

  /// A protocol that is not restricted to classes.
  private protocol LooselyListening {
    func hear(_ sound: String)
  }

  private class Listener: Listening, LooselyListening {
    let name: String
    let log: Log
    var onHear: () -> Void = {}

    init(_ name: String, _ log: Log) {
      self.name = name
      self.log = log
    }

    func hear(_ sound: String) {
      log.add("\(name):\(sound)")
      onHear()
    }
  }

  private struct Fault: Error, Equatable {}

  private let log = Log()
  private let hub = ObserverHub<any Listening>()

  /// Creates listeners with the given names, and adds them to the hub in this order.
  private func listeners(_ names: String...) -> [Listener] {
    names.map { name in
      let listener = Listener(name, log)
      hub.add(listener)
      return listener
    }
  }

  private func removeAll(_ listeners: [Listener]) {
    for listener in listeners {
      hub.remove(listener)
    }
  }

  private func notify(_ sound: String = "!") {
    hub.forEach { $0.hear(sound) }
  }

  @Test("H1: observers are called in the order in which they were added")
  func callsInOrder() {
    let all = listeners("a", "b", "c", "d")
    hub.remove(all[1])
    hub.add(all[1])
    notify()
    #expect(log.entries == ["a:!", "c:!", "d:!", "b:!"])
    removeAll(all)
  }

  @Test("H1: removals do not change the order of the remaining observers")
  func removalsKeepOrder() {
    let all = (0..<200).map { Listener("\($0)", log) }
    all.forEach { hub.add($0) }
    for (index, listener) in all.enumerated() where index % 3 != 0 {
      hub.remove(listener)
    }
    notify()
    #expect(log.entries == stride(from: 0, to: 200, by: 3).map { "\($0):!" })
    removeAll(all.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
    #expect(hub.isEmpty)
  }

  @Test("H2: a hub does not keep an observer alive")
  func holdsWeakly() {
    let hub = ObserverHub<any Listening>(misuse: MisuseLog().handler)
    weak var listener: Listener?
    do {
      let strong = Listener("a", log)
      hub.add(strong)
      listener = strong
    }
    #expect(listener == nil)
  }

  @Test("H2: calling and removing an observer leaves no reference to it")
  func retainsNothing() {
    let hub = ObserverHub<any LooselyListening>()
    weak var weakListener: Listener?
    do {
      let listener = Listener("a", log)
      weakListener = listener
      hub.add(listener)
      for _ in 0..<3 { hub.forEach { $0.hear("!") } }
      hub.remove(listener)
    }
    #expect(weakListener == nil)
    #expect(log.entries.count == 3)
  }

  @Test("H3: an observer added in a cycle is not called in that cycle")
  func additionInCycle() {
    let all = listeners("a")
    let late = Listener("late", log)
    all[0].onHear = { [hub] in
      all[0].onHear = {}
      hub.add(late)
    }
    notify("1")
    notify("2")
    #expect(log.entries == ["a:1", "a:2", "late:2"])
    removeAll(all + [late])
  }

  @Test("H3: an observer removed before its turn is not called in that cycle")
  func removalInCycle() {
    let all = listeners("a", "b", "c")
    all[0].onHear = { [hub] in hub.remove(all[1]) }
    notify()
    #expect(log.entries == ["a:!", "c:!"])
    removeAll([all[0], all[2]])
  }

  @Test("H3: an observer removed and added again in a cycle is not called in that cycle")
  func removalAndAdditionInCycle() {
    let all = listeners("a", "b", "c")
    all[0].onHear = { [hub] in
      all[0].onHear = {}
      hub.remove(all[1])
      hub.add(all[1])
    }
    notify("1")
    notify("2")
    #expect(log.entries == ["a:1", "c:1", "a:2", "c:2", "b:2"])
    removeAll(all)
  }

  @Test("H3: an observer can remove itself and all others in its callback")
  func removesItselfAndOthers() {
    let all = listeners("a", "b", "c")
    all[0].onHear = { [hub] in hub.remove(all[0]) }
    notify("1")
    all[1].onHear = { [hub] in
      hub.remove(all[2])
      hub.remove(all[1])
    }
    notify("2")
    notify("3")
    #expect(log.entries == ["a:1", "b:1", "c:1", "b:2"])
    #expect(hub.isEmpty)
  }

  @Test("H3: releasing the last reference to the hub in a callback does not end the cycle")
  func releaseInCycle() {
    var hub: ObserverHub<any Listening>? = ObserverHub()
    weak let weakHub = hub
    let first = Listener("a", log)
    let second = Listener("b", log)
    hub?.add(first)
    hub?.add(second)
    first.onHear = { hub = nil }
    hub?.forEach { $0.hear("!") }
    #expect(log.entries == ["a:!", "b:!"])
    #expect(weakHub == nil)
  }

  @Test("H4: a thrown error ends the cycle, and the next cycle calls every observer")
  func errorEndsCycle() {
    let all = listeners("a", "b", "c")
    #expect(throws: Fault()) {
      try hub.forEach { listener in
        listener.hear("1")
        if (listener as? Listener)?.name == "b" { throw Fault() }
      }
    }
    notify("2")
    #expect(log.entries == ["a:1", "b:1", "a:2", "b:2", "c:2"])
    removeAll(all)
  }

  @Test("H4: a thrown error keeps its static type")
  func errorKeepsType() {
    let all = listeners("a")
    var caught: Fault?
    do throws(Fault) {
      try hub.forEach { _ throws(Fault) in throw Fault() }
    } catch {
      caught = error
    }
    #expect(caught == Fault())
    removeAll(all)
  }

  @Test("H5: the hub holds no lock while it calls an observer")
  func holdsNoLock() {
    let all = listeners("a", "b")
    all[0].onHear = { [hub, log] in
      log.add(hub.isEmpty ? "empty" : "not empty")
      hub.remove(all[1])
      hub.add(all[1])
    }
    notify()
    #expect(log.entries == ["a:!", "not empty"])
    removeAll(all)
  }

  @Test("H7: an observer can remove itself in its deinitializer")
  func removalFromDeinit() {
    final class Leaver: Listener {
      var hub: ObserverHub<any Listening>?
      deinit { hub?.remove(self) }
    }
    let misuses = MisuseLog()
    let hub = ObserverHub<any Listening>(misuse: misuses.handler)
    for _ in 0..<100 {
      // The next object is likely to have the address of this one.
      let leaver = Leaver("a", log)
      leaver.hub = hub
      hub.add(leaver)
    }
    #expect(hub.isEmpty)
    hub.forEach { $0.hear("!") }
    #expect(log.entries == [])
    #expect(misuses.kinds == [])
  }

  @Test("H8, H9: adding and removing observers in any order does not grow the list")
  func churnDoesNotGrow() {
    let all = (0..<1000).map { Listener("\($0)", log) }
    all.forEach { hub.add($0) }
    for round in 0..<10 {
      for index in all.indices {
        let listener = all[(index * 7 + round) % all.count]
        hub.remove(listener)
        hub.add(listener)
      }
    }
    #expect(hub.slotCount <= 2 * all.count + 8)
    removeAll(all)
    #expect(hub.slotCount == 0)
    #expect(hub.isEmpty)
  }

  @Test("H9: removals from the end also make room in earlier parts of the list")
  func removalsFromTheEnd() {
    let all = (0..<200).map { Listener("\($0)", log) }
    all.forEach { hub.add($0) }
    for listener in all[1..<99] + all[100...].reversed() { hub.remove(listener) }
    #expect(hub.slotCount <= 2 * 2 + 8)
    removeAll([all[0], all[99]])
    #expect(hub.isEmpty)
  }

  @Test("H9: the index of a list gives the memory of removed observers back")
  func indexOfRemoved() {
    let all = (0..<2000).map { Listener("\($0)", log) }
    all.forEach { hub.add($0) }
    #expect(hub.indexCapacity >= 2000)
    removeAll(Array(all.dropFirst()))
    #expect(hub.indexCapacity <= 64)
    notify()
    #expect(log.entries == ["0:!"])
    removeAll([all[0]])
  }

  @Test("H9: deallocated observers that were never removed do not grow the list")
  func lostObserversDoNotGrow() {
    let misuses = MisuseLog()
    let hub = ObserverHub<any Listening>(misuse: misuses.handler)
    for _ in 0..<10_000 {
      hub.add(Listener("a", log))
    }
    #expect(hub.slotCount <= 64)
    #expect(Set(misuses.kinds) == [.neverRemoved])
  }

  @Test("ObserverHub: the observer type can be a class, any protocol, or Any")
  func observerTypes() {
    let classes = ObserverHub<Listener>()
    let loose = ObserverHub<any LooselyListening>()
    let anything = ObserverHub<Any>()
    let listener = Listener("a", log)
    classes.add(listener)
    loose.add(listener)
    anything.add(listener)
    classes.forEach { $0.hear("class") }
    loose.forEach { $0.hear("loose") }
    anything.forEach { ($0 as? Listener)?.hear("any") }
    #expect(log.entries == ["a:class", "a:loose", "a:any"])
    classes.remove(listener)
    loose.remove(listener)
    anything.remove(listener)
    #expect(classes.isEmpty && loose.isEmpty && anything.isEmpty)
  }
}

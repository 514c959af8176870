import SimpleEvents
import TestSupport
import Testing

private protocol Listening: AnyObject {
  func hear(_ sound: String)
}

/// Like a protocol that nobody thought to bind to classes.
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

@Suite struct ObserverHubTests {
  private let log = Log()
  private let hub = ObserverHub<any Listening>()

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

  @Test func `H1 observers are called in the order they were added`() {
    let all = listeners("a", "b", "c", "d")
    hub.remove(all[1])
    hub.add(all[1])
    notify()
    #expect(log.entries == ["a:!", "c:!", "d:!", "b:!"])
    removeAll(all)
  }

  @Test func `H1 order survives any number of removals`() {
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

  @Test func `H2 a hub does not keep an observer alive`() {
    let quiet = ObserverHub<any Listening>(misuse: MisuseLog().handler)
    weak var listener: Listener?
    do {
      let strong = Listener("a", log)
      quiet.add(strong)
      listener = strong
    }
    #expect(listener == nil)
  }

  @Test func `H3 an observer added in a cycle is not called in it`() {
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

  @Test func `H3 an observer removed before its turn is not called in the cycle`() {
    let all = listeners("a", "b", "c")
    all[0].onHear = { [hub] in hub.remove(all[1]) }
    notify()
    #expect(log.entries == ["a:!", "c:!"])
    removeAll([all[0], all[2]])
  }

  @Test func `H3 an observer removed and added again in a cycle is not called in it`() {
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

  @Test func `H3 an observer may remove itself, or everybody, in its callback`() {
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

  @Test func `H3 the hub may be dropped in a callback`() {
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

  @Test func `H4 an error ends the cycle, and the hub goes on as before`() {
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

  @Test func `H4 the error keeps its type`() {
    let all = listeners("a")
    do throws(Fault) {
      try hub.forEach { _ throws(Fault) in throw Fault() }
    } catch {
      let fault: Fault = error
      #expect(fault == Fault())
    }
    removeAll(all)
  }

  @Test func `H5 a callback may use the hub, so no lock is held`() {
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

  @Test func `H7 an observer may remove itself in its deinit`() {
    final class Leaver: Listener {
      var hub: ObserverHub<any Listening>?
      deinit { hub?.remove(self) }
    }
    let misuses = MisuseLog()
    let hub = ObserverHub<any Listening>(misuse: misuses.handler)
    for _ in 0..<100 {
      // The next one is likely to get the address of the one before.
      let leaver = Leaver("a", log)
      leaver.hub = hub
      hub.add(leaver)
    }
    #expect(hub.isEmpty)
    hub.forEach { $0.hear("!") }
    #expect(log.entries == [])
    #expect(misuses.kinds == [])
  }

  @Test func `H8 H9 churn leaves nothing behind, whatever the order`() {
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

  @Test func `H9 observers that die unremoved do not pile up`() {
    let misuses = MisuseLog()
    let hub = ObserverHub<any Listening>(misuse: misuses.handler)
    for _ in 0..<10_000 {
      hub.add(Listener("a", log))
    }
    #expect(hub.slotCount <= 64)
    #expect(Set(misuses.kinds) == [.neverRemoved])
  }

  @Test func `works for classes, and for protocols that are not bound to classes`() {
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

  @Test func `does not change how long an observer lives`() {
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
}

import SimpleEvents
import TestSupport
import Testing

private protocol Listening {
  func hear()
}

private final class Listener: Listening {
  var onHear: () -> Void = {}
  func hear() { onHear() }
}

private struct ValueListener: Listening {
  func hear() {}
}

/// What a hub does about misuse when the program goes on: as in release builds, and with `.report`.
@Suite struct ObserverHubMisuseTests {
  private let misuses = MisuseLog()
  private let hub: ObserverHub<any Listening>

  init() {
    hub = ObserverHub(label: "the hub", misuse: misuses.handler)
  }

  private func count() -> Int {
    var count = 0
    hub.forEach { _ in count += 1 }
    return count
  }

  @Test func `H6 an observer added twice stays registered once`() {
    let listener = Listener()
    hub.add(listener)
    let line: UInt = #line - 1
    hub.add(listener)
    #expect(count() == 1)
    hub.remove(listener)
    #expect(hub.isEmpty)
    #expect(misuses.kinds == [.addedTwice])
    expectMessage("the hub", "Listener", "remove it first", "ObserverHubMisuseTests.swift:\(line)")
  }

  @Test func `H6 a value is no observer`() {
    hub.add(ValueListener())
    #expect(count() == 0)
    #expect(hub.isEmpty)
    hub.remove(ValueListener())
    #expect(misuses.kinds == [.notAnObject, .notAnObject])
    #expect(misuses.all[0].message.contains("make the type a class"))
    #expect(misuses.all[0].fileID == "SimpleEventsTests/ObserverHubMisuseTests.swift")
  }

  @Test func `H6 the removal of what is not installed is ignored`() {
    let listener = Listener()
    hub.remove(listener)
    hub.add(listener)
    hub.remove(listener)
    hub.remove(listener)
    #expect(misuses.kinds == [.notInstalled, .notInstalled])
    #expect(hub.isEmpty)
  }

  @Test func `H6 an observer that died is dropped, and does not count`() {
    hub.add(Listener())
    #expect(hub.isEmpty)
    #expect(misuses.kinds == [.neverRemoved])

    hub.add(Listener())
    let line: UInt = #line - 1
    let survivor = Listener()
    hub.add(survivor)
    #expect(count() == 1)
    #expect(misuses.kinds == [.neverRemoved, .neverRemoved])
    expectMessage("the hub", "Listener", "token", "ObserverHubMisuseTests.swift:\(line)")
    #expect(count() == 1)
    #expect(misuses.all.count == 2)
    hub.remove(survivor)
  }

  @Test func `H6 a nested cycle runs depth first, and goes on`() {
    var sounds: [String] = []
    let first = Listener()
    let second = Listener()
    hub.add(first)
    let line: UInt = #line - 1
    hub.add(second)
    first.onHear = { [hub] in
      sounds.append("first")
      first.onHear = { sounds.append("first again") }
      hub.forEach { $0.hear() }
    }
    second.onHear = { sounds.append("second") }
    hub.forEach { $0.hear() }
    #expect(sounds == ["first", "first again", "second", "second"])
    #expect(misuses.kinds == [.nestedCycle])
    expectMessage("the hub", "Listener", "LazySimpleEvent", "ObserverHubMisuseTests.swift:\(line)")
    hub.forEach { $0.hear() }
    #expect(misuses.kinds == [.nestedCycle], "cycles one after the other are not nested")
    hub.remove(first)
    hub.remove(second)
  }

  @Test func `H6 cycles of different hubs may be nested`() {
    let other = ObserverHub<any Listening>(misuse: misuses.handler)
    let first = Listener()
    hub.add(first)
    other.add(first)
    first.onHear = {
      first.onHear = {}
      other.forEach { $0.hear() }
    }
    hub.forEach { $0.hear() }
    #expect(misuses.kinds == [])
    hub.remove(first)
    other.remove(first)
  }

  @Test func `H6 a thrown error ends the cycle for the diagnostics, too`() {
    struct Fault: Error {}
    let listener = Listener()
    hub.add(listener)
    #expect(throws: Fault.self) { try hub.forEach { _ in throw Fault() } }
    hub.forEach { $0.hear() }
    #expect(misuses.kinds == [])
    hub.remove(listener)
  }

  @Test(.enabled(if: !Stress.isSanitized, "a sanitizer gives no address twice"))
  func `H7 a new object at a lost observer's address is told apart`() throws {
    let (event, successor, misuses) = try #require(loseAnObserver())
    #expect(misuses.kinds == [])
    // Not installed, wherever it lives; an Objective-C object cannot be asked whether it is in its `deinit`.
    event.removeObserver(successor)
    #expect(misuses.kinds == (hasObjectiveC ? [] : [.neverRemoved, .notInstalled]))
    let flagged = misuses.all.count
    event.addObserver(successor)
    event.trigger()
    #expect(successor.calls == 1)
    event.removeObserver(successor)
    event.trigger()
    #expect(successor.calls == 1)
    #expect(misuses.all.count == flagged)
  }

  @Test(.enabled(if: !Stress.isSanitized, "a sanitizer gives no address twice"))
  func `H7 a new object at a lost observer's address can be added`() throws {
    let (event, successor, misuses) = try #require(loseAnObserver())
    event.addObserver(successor)
    #expect(misuses.kinds == [.neverRemoved])
    event.trigger()
    #expect(successor.calls == 1)
    event.removeObserver(successor)
    #expect(misuses.all.count == 1)
  }

  /// An event with an observer that has died unremoved and been found dead, and a new object at its address.
  ///
  /// It is not flagged yet: any thread may use an event, so the observer's end might still be under way.
  private func loseAnObserver() -> (SimpleEvent, Delegate, MisuseLog)? {
    // NB: other tests allocate meanwhile, and may be given the address.
    for _ in 0..<100 {
      let misuses = MisuseLog()
      let event = SimpleEvent(misuse: misuses.handler)
      let address = addAndForget(to: event)
      event.trigger()
      var others: [Delegate] = []
      for _ in 0..<100 {
        let delegate = Delegate()
        if ObjectIdentifier(delegate) == address { return (event, delegate, misuses) }
        others.append(delegate)
      }
    }
    return nil
  }

  private final class Delegate: SimpleEventObserver {
    private(set) var calls: Int = 0

    func simpleEventDidTrigger(_ event: any SimpleEventObservable) { calls += 1 }
  }

  private func addAndForget(to event: SimpleEvent) -> ObjectIdentifier {
    let delegate = Delegate()
    event.addObserver(delegate)
    return ObjectIdentifier(delegate)
  }

  private func expectMessage(_ parts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    let message = misuses.all.last?.message ?? ""
    for part in parts where isDebug || !part.contains(".swift:") {
      #expect(message.contains(part), sourceLocation: sourceLocation)
    }
  }
}

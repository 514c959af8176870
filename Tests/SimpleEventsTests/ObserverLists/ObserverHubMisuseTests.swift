import SimpleEvents
import TestSupport
import Testing

/// H6: the diagnostics of a hub that continues after a misuse, and its state afterwards.
struct ObserverHubMisuseTests {
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

  private let misuses = MisuseLog()
  private let hub: ObserverHub<any Listening>

  init() {
    hub = ObserverHub(label: "the hub", misuse: misuses.handler)
  }

  /// Returns the number of observers that a cycle calls.
  private func count() -> Int {
    var count = 0
    hub.forEach { _ in count += 1 }
    return count
  }

  @Test("H6: an observer added twice is flagged and stays registered once")
  func addedTwice() {
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

  @Test("H6: an observer that is a value is flagged and not registered")
  func valueObserver() {
    hub.add(ValueListener())
    #expect(count() == 0)
    #expect(hub.isEmpty)
    hub.remove(ValueListener())
    #expect(misuses.kinds == [.notAnObject, .notAnObject])
    #expect(misuses.all[0].message.contains("make the type a class"))
    #expect(misuses.all[0].fileID == "SimpleEventsTests/ObserverHubMisuseTests.swift")
  }

  @Test("H6: the removal of an observer that is not installed is flagged and ignored")
  func unknownRemoval() {
    let listener = Listener()
    hub.remove(listener)
    hub.add(listener)
    hub.remove(listener)
    hub.remove(listener)
    #expect(misuses.kinds == [.notInstalled, .notInstalled])
    #expect(hub.isEmpty)
  }

  @Test("H6: an observer deallocated without a removal is flagged once and not counted")
  func neverRemoved() {
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

  @Test("H6: a nested cycle is flagged and runs depth first")
  func nestedCycle() {
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
    #expect(misuses.kinds == [.nestedCycle], "a later cycle is not nested")
    hub.remove(first)
    hub.remove(second)
  }

  @Test("H6: a cycle of one hub inside a cycle of another hub is not flagged")
  func nestedCyclesOfTwoHubs() {
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

  @Test("H4, H6: a cycle after a cycle that ended with an error is not flagged as nested")
  func cycleAfterError() {
    struct Fault: Error {}
    let listener = Listener()
    hub.add(listener)
    #expect(throws: Fault.self) { try hub.forEach { _ in throw Fault() } }
    hub.forEach { $0.hear() }
    #expect(misuses.kinds == [])
    hub.remove(listener)
  }

  /// Expects texts in the message of the last misuse. Call sites are recorded only in debug builds.
  private func expectMessage(_ parts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    let message = misuses.all.last?.message ?? ""
    for part in parts where isDebug || !part.contains(".swift:") {
      #expect(message.contains(part), sourceLocation: sourceLocation)
    }
  }

  @Test("H9: a hub that had many observers searches for lost ones as often as a new hub")
  func lostAfterMany() {
    let listeners = (0..<10_000).map { _ in Listener() }
    for listener in listeners { hub.add(listener) }
    for listener in listeners { hub.remove(listener) }
    for _ in 0..<1000 { hub.add(Listener()) }
    #expect(hub.slotCount <= 64)
    #expect(Set(misuses.kinds) == [.neverRemoved])
  }
}

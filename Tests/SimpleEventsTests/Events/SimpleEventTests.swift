import SimpleEvents
import TestSupport
import Testing

@Suite struct SimpleEventTests {
  private struct Fault: Error, Equatable {}

  private let log = Log()
  private let event = SimpleEvent()

  private func observe(_ name: String = "a") -> (any SimpleEventToken)? {
    event.addObserver { [log] _ in log.add(name) }
  }

  @Test func `E1 notifies at once, in order, and hands over the event`() {
    var seen: [ObjectIdentifier] = []
    let token = event.addObserver { seen.append(ObjectIdentifier($0)) }
    let other = observe("b")
    event.trigger()
    #expect(seen == [ObjectIdentifier(event)])
    #expect(log.entries == ["b"])
    token?.remove()
    other?.remove()
  }

  @Test func `E1 tokens and delegates share one order`() {
    final class Delegate: SimpleEventObserver {
      let onTrigger: () -> Void
      init(_ onTrigger: @escaping () -> Void) { self.onTrigger = onTrigger }
      func simpleEventDidTrigger(_ event: any SimpleEventObservable) { onTrigger() }
    }
    let first = observe("first")
    let delegate = Delegate { [log] in log.add("delegate") }
    event.addObserver(delegate)
    let last = observe("last")
    event.trigger()
    #expect(log.entries == ["first", "delegate", "last"])
    event.removeObserver(delegate)
    event.trigger()
    #expect(log.entries.suffix(2) == ["first", "last"])
    withExtendedLifetime((first, last)) {}
  }

  @Test func `E1 trigger(if: false) does nothing, and takes back no pending trigger`() {
    let token = observe()
    event.trigger(if: false)
    #expect(log.entries == [])
    event.coalescingNotifications {
      event.trigger(if: true)
      event.trigger(if: false)
    }
    #expect(log.entries == ["a"])
    withExtendedLifetime(token) {}
  }

  @Test func `E2 coalescing blocks nest, and notify once at the outermost end`() {
    let token = observe()
    event.coalescingNotifications {
      event.trigger()
      event.coalescingNotifications {
        event.trigger()
        event.trigger()
      }
      #expect(log.entries == [])
    }
    #expect(log.entries == ["a"])
    event.coalescingNotifications {}
    #expect(log.entries == ["a"], "nothing was triggered inside")
    withExtendedLifetime(token) {}
  }

  @Test func `E2 a coalescing block returns its result, and rethrows`() throws {
    let token = observe()
    #expect(event.coalescingNotifications { 42 } == 42)
    do throws(Fault) {
      try event.coalescingNotifications { () throws(Fault) in
        event.trigger()
        throw Fault()
      }
    } catch {
      let fault: Fault = error
      #expect(fault == Fault())
    }
    #expect(log.entries == ["a"], "notified also when the block throws")
    withExtendedLifetime(token) {}
  }

  @Test func `E3 a nested trigger is flagged, and runs depth first`() {
    let misuses = MisuseLog()
    let event = SimpleEvent(label: "model.didChange", misuse: misuses.handler)
    var sounds: [String] = []
    let first = event.addObserver { [unowned event] _ in
      sounds.append("a")
      if sounds.count == 1 { event.trigger() }
    }
    let second = event.addObserver { _ in sounds.append("b") }
    event.trigger()
    #expect(sounds == ["a", "a", "b", "b"])
    #expect(misuses.kinds == [.nestedCycle])
    #expect(misuses.all[0].message.contains("model.didChange"))
    withExtendedLifetime((first, second)) {}
  }

  @Test func `E3 a coalesced event follows the running cycle by exactly one more`() {
    let event = SimpleEvent(reentrancy: .coalesced)
    var sounds: [String] = []
    let first = event.addObserver { [unowned event] _ in
      sounds.append("a")
      if sounds.count == 1 {
        event.trigger()
        event.trigger()
        event.coalescingNotifications { event.trigger() }
      }
    }
    let second = event.addObserver { _ in sounds.append("b") }
    event.trigger()
    #expect(sounds == ["a", "b", "a", "b"])
    event.trigger()
    #expect(sounds.suffix(2) == ["a", "b"])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `E3 coalesced triggers do not grow the stack`() {
    let event = SimpleEvent(reentrancy: .coalesced)
    var count = 0
    let token = event.addObserver { [unowned event] _ in
      count += 1
      event.trigger(if: count < 200_000)
    }
    event.trigger()
    #expect(count == 200_000)
    withExtendedLifetime(token) {}
  }

  @Test func `an observer may drop the owner of the event`() {
    final class Owner {
      let event = SimpleEvent()
    }
    var owner: Owner? = Owner()
    weak let weakOwner = owner
    var count = 0
    let tokens = (0..<3).map { _ in
      owner!.event.addObserver { _ in
        count += 1
        owner = nil
      }
    }
    owner?.event.trigger()
    #expect(count == 3)
    #expect(weakOwner == nil)
    withExtendedLifetime(tokens) {}
  }
}

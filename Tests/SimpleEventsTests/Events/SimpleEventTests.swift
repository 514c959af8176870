import SimpleEvents
import TestSupport
import Testing

/// E1 to E3: the synchronous event.
struct SimpleEventTests {
  private struct Fault: Error, Equatable {}

  private let log = Log()
  private let event = SimpleEvent()

  private func observe(_ name: String = "a") -> (any SimpleEventToken)? {
    event.addObserver { [log] _ in log.add(name) }
  }

  @Test("E1: a trigger calls every block before it returns, in order, with the event")
  func notifiesSynchronously() {
    var seen: [ObjectIdentifier] = []
    let first = observe("a")
    let token = event.addObserver { [log] event in
      seen.append(ObjectIdentifier(event))
      log.add("b")
    }
    let last = observe("c")
    event.trigger()
    #expect(seen == [ObjectIdentifier(event)])
    #expect(log.entries == ["a", "b", "c"])
    withExtendedLifetime((first, token, last)) {}
  }

  @Test("E1: blocks and delegates are called in the order of their registration")
  func blocksAndDelegates() {
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

  @Test("E1: trigger(if: false) does nothing and resets no pending trigger")
  func falseCondition() {
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

  @Test("E2: nested coalescing blocks give one notification, at the end of the outermost block")
  func coalescingBlocksNest() {
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
    #expect(log.entries == ["a"], "a block without a trigger gives no notification")
    withExtendedLifetime(token) {}
  }

  @Test("E2: coalescingNotifications returns the result of its block and rethrows its error")
  func coalescingBlockResult() throws {
    let token = observe()
    #expect(event.coalescingNotifications { 42 } == 42)
    var caught: Fault?
    do throws(Fault) {
      try event.coalescingNotifications { () throws(Fault) in
        event.trigger()
        throw Fault()
      }
    } catch {
      caught = error
    }
    #expect(caught == Fault())
    #expect(log.entries == ["a"], "a block that throws is followed by its notification")
    withExtendedLifetime(token) {}
  }

  @Test("E3: a nested trigger is flagged and runs depth first")
  func nestedTrigger() {
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

  @Test("E3: nested triggers of a coalesced event give exactly one more cycle, after the current one")
  func coalescedReentrancy() {
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

  @Test("E3: nested triggers of a coalesced event do not grow the stack")
  func coalescedReentrancyStack() {
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

  @Test("E1: an event released by its observer completes the cycle")
  func releaseInNotification() {
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

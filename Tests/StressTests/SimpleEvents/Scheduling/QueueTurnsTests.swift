import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// The turns that the callbacks of one dispatch queue share.
///
/// A turn delivers the callbacks that are pending when it starts, in the order in which they became pending.
@Suite(.serialized) struct QueueTurnsTests {
  private let queue = DispatchQueue(label: "turns")
  private let log = Log()

  private func callback(_ name: String, then: @escaping @Sendable () -> Void = {}) -> CoalescingCallback {
    CoalescingCallback(on: queue) { [log] in
      log.add(name)
      then()
    }
  }

  @Test("QueueTurns: a turn delivers the callbacks that became pending before it, in order")
  func sharedTurn() {
    let a = callback("a")
    let b = callback("b")
    queue.sync { [queue, log] in
      a.schedule()
      queue.async { log.add("other work") }
      b.schedule()
    }
    queue.sync {}
    #expect(log.entries == ["a", "b", "other work"])
    withExtendedLifetime((a, b)) {}
  }

  @Test(
    "QueueTurns: a callback that becomes pending in a turn is delivered on the next, after queued work")
  func pendingDuringTurn() {
    let b = callback("b")
    let a = callback("a") { [queue, log] in
      queue.async { log.add("other work") }
      b.schedule()
    }
    let c = callback("c")
    queue.sync {
      a.schedule()
      c.schedule()
    }
    queue.sync {}
    queue.sync {}
    #expect(log.entries == ["a", "c", "other work", "b"])
    withExtendedLifetime((a, b, c)) {}
  }

  @Test("QueueTurns: a callback that always schedules itself again does not delay other callbacks")
  func fairness() {
    let isDone = DispatchSemaphore(value: 0)
    let again = Mutex<CoalescingCallback?>(nil)
    let first = CoalescingCallback(on: queue) { [log] in
      log.add("repeating")
      if log.entries.count < 50 {
        again.withLock { $0 }?.schedule()
      } else {
        isDone.signal()
      }
    }
    again.withLock { $0 = first }
    let other = callback("other")
    queue.sync {
      first.schedule()
      other.schedule()
    }
    isDone.wait()
    #expect(log.entries.prefix(3) == ["repeating", "other", "repeating"])
    again.withLock { $0 = nil }
    withExtendedLifetime(other) {}
  }

  @Test("E6: a callback that is released or cancelled while it is pending is not delivered")
  func releaseAndCancel() {
    let a = callback("a")
    var released: CoalescingCallback? = callback("released")
    let cancelled = callback("cancelled")
    queue.sync {
      released?.schedule()
      cancelled.schedule()
      a.schedule()
      released = nil
      cancelled.cancel()
    }
    queue.sync {}
    #expect(log.entries == ["a"])
    withExtendedLifetime((a, cancelled)) {}
  }
}

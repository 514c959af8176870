import Dispatch
import SimpleEvents
import Synchronization
import Testing

/// The turns that the callbacks of one dispatch queue share.
///
/// Callbacks that are pending when a turn starts are delivered on that turn, in the order in which they became
/// pending.
@Suite(.serialized) struct QueueLaneTests {
  private final class Trace: Sendable {
    private let entries: Mutex<[String]> = Mutex([])
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  private let queue = DispatchQueue(label: "lane")
  private let trace = Trace()

  private func callback(_ name: String, then: @escaping @Sendable () -> Void = {}) -> CoalescingCallback {
    CoalescingCallback(queue: queue) { [trace] in
      trace.add(name)
      then()
    }
  }

  @Test("QueueLane: callbacks that become pending before a turn are delivered on it, in order")
  func sharedTurn() {
    let a = callback("a")
    let b = callback("b")
    queue.sync { [queue, trace] in
      a.schedule()
      queue.async { trace.add("other work") }
      b.schedule()
    }
    queue.sync {}
    #expect(trace.all == ["a", "b", "other work"])
    withExtendedLifetime((a, b)) {}
  }

  @Test(
    "QueueLane: a callback that becomes pending during a turn is delivered on the next, after queued work")
  func pendingDuringTurn() {
    let b = callback("b")
    let a = callback("a") { [queue, trace] in
      queue.async { trace.add("other work") }
      b.schedule()
    }
    let c = callback("c")
    queue.sync {
      a.schedule()
      c.schedule()
    }
    queue.sync {}
    queue.sync {}
    #expect(trace.all == ["a", "c", "other work", "b"])
    withExtendedLifetime((a, b, c)) {}
  }

  @Test("QueueLane: a callback that always schedules itself again does not delay the others")
  func fairness() {
    let isDone = DispatchSemaphore(value: 0)
    let again = Mutex<CoalescingCallback?>(nil)
    let first = CoalescingCallback(queue: queue) { [trace] in
      trace.add("repeating")
      if trace.all.count < 50 {
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
    #expect(trace.all.prefix(3) == ["repeating", "other", "repeating"])
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
    #expect(trace.all == ["a"])
    withExtendedLifetime((a, cancelled)) {}
  }
}

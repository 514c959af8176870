import Dispatch
import SimpleEvents
import Synchronization
import Testing

/// How the callbacks of one dispatch queue share its turns.
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

  @Test func `what becomes pending before a hop shares it, in order`() {
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

  @Test func `what becomes pending in a hop waits for the next one, behind other work`() {
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

  @Test func `nobody starves: a callback that asks for ever takes turns with the others`() {
    let isDone = DispatchSemaphore(value: 0)
    let greedy = Mutex<CoalescingCallback?>(nil)
    let first = CoalescingCallback(queue: queue) { [trace] in
      trace.add("greedy")
      if trace.all.count < 50 {
        greedy.withLock { $0 }?.schedule()
      } else {
        isDone.signal()
      }
    }
    greedy.withLock { $0 = first }
    let modest = callback("modest")
    queue.sync {
      first.schedule()
      modest.schedule()
    }
    isDone.wait()
    #expect(trace.all.prefix(3) == ["greedy", "modest", "greedy"])
    greedy.withLock { $0 = nil }
    withExtendedLifetime(modest) {}
  }

  @Test func `E6 one that is dropped or cancelled while it waits has no turn`() {
    let a = callback("a")
    var dropped: CoalescingCallback? = callback("dropped")
    let cancelled = callback("cancelled")
    queue.sync {
      dropped?.schedule()
      cancelled.schedule()
      a.schedule()
      dropped = nil
      cancelled.cancel()
    }
    queue.sync {}
    #expect(trace.all == ["a"])
    withExtendedLifetime((a, cancelled)) {}
  }
}

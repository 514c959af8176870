import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// C10 on dispatch queues, compared with plain timers.
@Suite(.serialized) struct RealDeadlineTests {
  private static let interval: Int = 2

  /// An action at a deadline on a queue: a delivery, or the handler of a timer.
  private typealias Start = (DispatchQueue, @escaping @Sendable () -> Void) -> any Sendable

  private func timer(after microseconds: Int) -> Start {
    { queue, action in
      let timer = DispatchSource.makeTimerSource(queue: queue)
      let deadline: DispatchTime = .now() + .milliseconds(Self.interval) + .microseconds(microseconds)
      timer.schedule(deadline: deadline, leeway: .nanoseconds(0))
      timer.setEventHandler(handler: action)
      timer.activate()
      return Owned(timer)
    }
  }

  private let delivery: Start = { queue, action in
    let callback = CoalescingCallback(on: queue, policy: .debounce(.milliseconds(RealDeadlineTests.interval)))
    {
      action()
    }
    callback.schedule()
    return callback
  }

  /// Returns the number of rounds in which the second of two actions came first.
  private func inversions(
    of first: @escaping Start, and second: @escaping Start, rounds: Int, on queue: DispatchQueue
  ) -> Int {
    (0..<rounds).count { _ in
      let order = Mutex<[Int]>([])
      let both = DispatchGroup()
      let things = [first, second].enumerated().map { index, start in
        both.enter()
        return start(queue) {
          order.withLock { $0.append(index) }
          both.leave()
        }
      }
      both.wait()
      withExtendedLifetime(things) {}
      return order.withLock { $0 } == [1, 0]
    }
  }

  @Test("C10: a delivery comes before work that is due later, as often as a timer does", arguments: [0, 50])
  func inversions(_ microseconds: Int) {
    let queue = DispatchQueue(label: "serial")
    let byHand = inversions(of: timer(after: 0), and: timer(after: microseconds), rounds: 200, on: queue)
    let ours = inversions(of: delivery, and: timer(after: microseconds), rounds: 200, on: queue)
    // A busy machine delays the thread between the two calls. Both orders count the same in this case.
    #expect(ours <= byHand + 2)
  }

  @Test("C10: a long delivery on a concurrent queue holds up no delivery that is due then or later")
  func longDelivery() {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let others = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    let isHeldUp = Flag()
    let long = CoalescingCallback(on: queue, policy: .debounce(.milliseconds(5))) {
      for _ in 0..<3 where !others.waitOrGiveUp() { isHeldUp.set() }
      end.signal()
    }
    let equal = CoalescingCallback(on: queue, policy: .debounce(.milliseconds(5))) { others.signal() }
    let later = CoalescingCallback(on: queue, policy: .debounce(.milliseconds(10))) { others.signal() }
    let asked = CoalescingCallback(on: queue, policy: .debounce(.milliseconds(1))) { others.signal() }
    long.schedule()
    equal.schedule()
    later.schedule()
    queue.asyncAfter(deadline: .now() + .milliseconds(12)) { asked.schedule() }
    end.wait()
    #expect(!isHeldUp.isSet)
    withExtendedLifetime((long, equal, later, asked)) {}
  }

  @Test("S2: of several pieces of work that are due together, one may cancel another")
  func cancelPeer() {
    let queue = DispatchQueue(label: "serial")
    let log = Log()
    let entries = Mutex<[any ScheduledWork]>([])
    let deadline = queue.now.advanced(by: .milliseconds(5))
    queue.sync {
      for number in 0..<4 {
        let entry = queue.schedule(at: deadline) {
          log.add("\(number)")
          if number == 1 { entries.withLock { $0[2] }.cancel() }
        }
        entries.withLock { $0.append(entry) }
      }
    }
    let end = DispatchSemaphore(value: 0)
    queue.schedule(at: deadline) { end.signal() }
    end.wait()
    #expect(log.entries == ["0", "1", "3"])
  }
}

/// A timer that is cancelled when it is released.
// SAFETY: `@unchecked`, because any thread may use a timer, and the property never changes.
private final class Owned: @unchecked Sendable {
  private let timer: any DispatchSourceTimer

  init(_ timer: any DispatchSourceTimer) { self.timer = timer }

  deinit { timer.cancel() }
}

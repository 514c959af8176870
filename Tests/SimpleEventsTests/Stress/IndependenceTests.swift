import Dispatch
import SimpleEvents
import TestSupport
import Testing

/// On a concurrent queue one callback does not hold up another.
@Suite struct IndependenceTests {
  @Test func `S1: on a concurrent queue a callback may wait for one that was asked for after it`() {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let secondRan = DispatchSemaphore(value: 0)
    let firstEnded = DispatchSemaphore(value: 0)
    let outcomes = EndLog()
    let first = CoalescingCallback(queue: queue) {
      outcomes.sawSecond = secondRan.wait(timeout: .now() + .seconds(5)) == .success
      firstEnded.signal()
    }
    let second = CoalescingCallback(queue: queue) { secondRan.signal() }
    // Both wait for the queue's first turn.
    queue.suspend()
    first.schedule()
    second.schedule()
    queue.resume()
    #expect(firstEnded.waitOrGiveUp())
    #expect(outcomes.sawSecond)
    withExtendedLifetime((first, second)) {}
  }
}

/// NB: `@unchecked`, since a semaphore orders the one write before the one read.
private final class EndLog: @unchecked Sendable {
  var sawSecond: Bool = false
}

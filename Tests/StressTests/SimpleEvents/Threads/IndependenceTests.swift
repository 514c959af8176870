import Dispatch
import SimpleEvents
import TestSupport
import Testing

/// Callbacks on a concurrent queue. They do not wait for each other.
struct IndependenceTests {
  @Test("S1: on a concurrent queue a callback may wait for a callback that was scheduled after it")
  func waitsForLaterCallback() {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let secondRan = DispatchSemaphore(value: 0)
    let firstEnded = DispatchSemaphore(value: 0)
    let secondRanDuringFirst = Flag()
    let first = CoalescingCallback(on: queue) {
      secondRanDuringFirst.set(secondRan.wait(timeout: .now() + .seconds(5)) == .success)
      firstEnded.signal()
    }
    let second = CoalescingCallback(on: queue) { secondRan.signal() }
    // Both callbacks request the same turn of the queue.
    queue.suspend()
    first.schedule()
    second.schedule()
    queue.resume()
    #expect(firstEnded.waitOrGiveUp())
    #expect(secondRanDuringFirst.isSet)
    withExtendedLifetime((first, second)) {}
  }
}

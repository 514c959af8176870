import Dispatch
import SimpleEvents
import TestSupport
import Testing

/// The tolerances of timers on a queue.
struct QueueToleranceTests {
  @Test("S1: a negative tolerance counts as zero")
  func negativeTolerance() async {
    await #expect(processExitsWith: .success) {
      let queue = DispatchQueue(label: "timers")
      let ran = DispatchSemaphore(value: 0)
      queue.schedule(at: queue.now, tolerance: .milliseconds(-1)) { ran.signal() }
      ran.wait()
    }
  }

  @Test("S1: later work with a smaller tolerance does not delay earlier work", .timeLimit(.minutes(10)))
  func laterWork() {
    let queue = DispatchQueue(label: "timers")
    let ran = DispatchSemaphore(value: 0)
    let first = queue.now.advanced(by: .milliseconds(5))
    queue.schedule(at: first, tolerance: .seconds(1)) { ran.signal() }
    let later = queue.schedule(at: .distantFuture) {}
    #expect(ran.waitOrGiveUp())
    later.cancel()
  }
}

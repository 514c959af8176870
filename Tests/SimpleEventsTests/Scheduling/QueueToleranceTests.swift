import Dispatch
import SimpleEvents
import Testing

/// The tolerances of timers on a queue.
@Suite struct QueueToleranceTests {
  @Test("S1: a negative tolerance counts as zero")
  func negativeTolerance() async {
    await #expect(processExitsWith: .success) {
      let queue = DispatchQueue(label: "timers")
      let ran = DispatchSemaphore(value: 0)
      queue.schedule(at: queue.now, tolerance: .milliseconds(-1)) { ran.signal() }
      ran.wait()
    }
  }
}

import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// S4: in a debug build, the error of a run that does not end names the keys that are pending.
@Suite(.enabled(if: isDebug)) struct StuckErrorKeyedTests {
  @Test("S4, K6: a keyed object that is pending is named with its first keys")
  func keys() throws {
    let scheduler = TestScheduler()
    let queue = DispatchQueue(label: "service")
    queue.suspend()
    let line: UInt = #line + 1
    let callback = KeyedCallback<String>(on: queue, policy: .audit(.seconds(100)), label: "saves") { _ in }
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        for key in ["a", "b", "c", "d"] { callback.schedule(key) }
        try await scheduler.clock.sleep(until: .distantFuture)
      }
    }
    let pending = try #require(error?.pending.first)
    #expect(pending.kind == .delivery && pending.label == "saves" && pending.site?.line == line)
    let state = "is pending on the queue \"service\", with 4 keys: a, b, c, …"
    #expect(pending.description.contains(state), "\(pending.description)")
    callback.cancelAll()
    queue.resume()
  }
}

// Asynchronous code runs in virtual time in an executable. The runtime's hook must also be found in a static
// executable.
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsMonitoring
import SimpleEventsTesting

let scheduler = TestScheduler()
let clock = scheduler.clock
let lines = try scheduler.run {
  let task = Task.detached {
    try await Task.sleep(for: .seconds(3600), clock: clock)
    return "detached after \(clock.now.nanoseconds / 1_000_000_000) s"
  }
  let first = "body at \(clock.now.nanoseconds)"
  return [first, try await task.value]
}
print(lines.joined(separator: "\n"))

/// Returns the entries of an inspector that watches a keyed loop.
func watched(on scheduler: TestScheduler) -> [String] {
  let inspector = CoalescingInspector()
  return withCoalescingMonitor(inspector) {
    let loop = KeyedRefreshLoop<String>(on: scheduler, policy: .debounce(.seconds(1)), label: "saves") { _ in
    }
    for key in ["a", "b", "a"] { loop.request(key) }
    scheduler.advance(by: .seconds(1))
    return inspector.snapshot().map {
      "\($0.statistics.signalCount) signals, \($0.statistics.deliveryCount) runs"
    }
  }
}

print(watched(on: scheduler).joined(separator: "\n"))

// Asynchronous code in virtual time, in an executable: linked statically, the runtime's hook is found as
// well.
import SimpleEvents
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

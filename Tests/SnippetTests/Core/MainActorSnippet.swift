import SimpleEvents
import SimpleEventsTesting
import Testing

@MainActor
private final class Model {
  private let clock: SchedulerClock
  init(clock: SchedulerClock) { self.clock = clock }
  func reload() async { try? await clock.sleep(for: .seconds(1)) }
}

@MainActor @Test func reload() async throws {
  let scheduler = TestScheduler()
  let model = Model(clock: scheduler.clock)
  try await scheduler.runOnMain {
    await model.reload()
  }
}

import Observation
import SimpleEvents
import SimpleEventsTesting
import Testing

// The snippets of the articles "Observing an observable model" and "Testing with virtual time" in which an
// actor observes a main-actor model.

struct ActorObservationSnippet {
  @MainActor @Observable
  final class Settings {
    var font = "Mono"
  }

  actor FontHistory {
    private(set) var fonts: [String] = []

    func follow(_ settings: Settings, on scheduler: some EventScheduler = .main) async {
      let didChange = ObservationEvent(on: scheduler) { @MainActor in _ = settings.font }
      for await _ in didChange.notifications {
        fonts.append(await settings.font)
      }
    }
  }

  @MainActor @Test func followsTheModel() async throws {
    let scheduler = TestScheduler()
    let settings = Settings()
    let history = FontHistory()
    try await scheduler.runOnMain {
      try await withThrowingTaskGroup { group in
        group.addTask { await history.follow(settings, on: scheduler) }
        try await scheduler.clock.sleep(for: .seconds(1))
        settings.font = "Serif"
        try await scheduler.clock.sleep(for: .seconds(1))
        group.cancelAll()
      }
    }
    #expect(await history.fonts == ["Serif"])
  }
}

import Observation
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

// The class in the article "Observing an observable model" that saves a model.

@MainActor @Observable
final class Settings {
  var font = "Mono"
  var size = 12
}

@MainActor
final class Autosave {
  private let didChange: ObservationEvent
  private let loop: RefreshLoop

  init(
    _ settings: Settings, on scheduler: some EventScheduler = .main,
    save: @escaping @MainActor (String, Int) async throws -> Void
  ) {
    didChange = ObservationEvent(on: scheduler) { _ = (settings.font, settings.size) }
    loop = RefreshLoop(on: scheduler, policy: .debounce(.seconds(1), maxWait: .seconds(10))) {
      try await save(settings.font, settings.size)
    } onError: { error in
      print("The settings are not saved: \(error)")
    }
    loop.observe(didChange)
  }

  func finish() async {
    await loop.finish()
  }
}

@MainActor
struct AutosaveSnippet {
  @Test("Documentation: settings are saved a second after a change, and once more at the end")
  func saves() async throws {
    let scheduler = TestScheduler()
    let log = Log()
    let settings = Settings()
    let autosave = Autosave(settings, on: scheduler) { font, size in
      log.add("\(font) \(size) at \(scheduler.milliseconds)")
    }
    try await scheduler.runOnMain {
      settings.font = "Serif"
      try await scheduler.clock.sleep(for: .milliseconds(500))
      settings.size = 14
      try await scheduler.clock.sleep(for: .milliseconds(2500))
      settings.font = "Sans"
      await autosave.finish()
    }
    #expect(log.entries == ["Serif 14 at 1500", "Sans 14 at 3000"])
  }
}

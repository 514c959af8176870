import SimpleEvents
import Testing

// The snippets of the article "Threads and isolation".

private enum ThreadsAndIsolation {
  @MainActor
  final class Settings {
    private let _didChange = LazySimpleEvent()
    nonisolated var didChange: any SimpleEventObservable & Sendable { _didChange }
  }

  actor Cache {
    private var settingsDidChange: (any SimpleEventToken)?

    func follow(_ settings: Settings) {
      settings.didChange.addObserver(&settingsDidChange) { [weak self] _ in
        Task { await self?.clear() }
      }
    }

    private func clear() {}
  }

  @MainActor
  final class ChangeCounter: @MainActor SimpleEventObserver {
    private let event: any SimpleEventObservable
    private(set) var changes = 0

    init(_ event: any SimpleEventObservable) {
      self.event = event
      event.addObserver(self)
    }

    isolated deinit { event.removeObserver(self) }

    func simpleEventDidTrigger(_ event: any SimpleEventObservable) { changes += 1 }
  }
}

@Suite struct DelegateSnippet {
  @Test("Documentation: an observer of the main actor removes itself")
  @MainActor func counts() {
    let event = SimpleEvent(misuse: .trap)
    var counter: ThreadsAndIsolation.ChangeCounter? = ThreadsAndIsolation.ChangeCounter(event)
    event.trigger()
    #expect(counter?.changes == 1)
    counter = nil
    event.trigger()
  }
}

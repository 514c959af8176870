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

  actor Library {
    private lazy var _didChange = LazySimpleEvent(on: .actor(self))
    var didChange: any SimpleEventObservable & Sendable { _didChange }
  }

  actor LogWriter {
    private(set) var written: [String] = []
    private var lines: CoalescingCollector<String>?

    func start() {
      lines = CoalescingCollector(
        on: .actor(self), policy: .audit(.seconds(1)), keeping: .newest(1000)
      ) { batch in
        self.write(batch)
      }
    }

    func add(_ line: String) { lines?.add(line) }

    func finish() {
      lines?.flush()
      lines = nil
    }

    private func write(_ batch: ElementBatch<String>) { written += batch }
  }

  actor Reloader {
    private var sources: SimpleEventGroupObserver?
    private var settingsHaveChanged = false

    func follow(
      _ settings: any SimpleEventObservable & Sendable, _ index: any SimpleEventObservable & Sendable
    ) {
      sources = SimpleEventGroupObserver(of: settings, index, on: .actor(self)) { [weak self] fired in
        let hasFired = fired.contains(settings)
        self?.assumeIsolated { $0.settingsHaveChanged = hasFired }
      }
    }
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

struct ActorSnippet {
  @Test("Documentation: an actor writes its lines in batches")
  func batches() async {
    let writer = ThreadsAndIsolation.LogWriter()
    await writer.start()
    await writer.add("a")
    await writer.add("b")
    await writer.finish()
    #expect(await writer.written == ["a", "b"])
  }
}

struct DelegateSnippet {
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

import Observation
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the article "SimpleEvents and Observations". A line that ends in "hidden" is not part of
// the text.

@MainActor
private final class Label {
  var text = "" { didSet { didSetText() } }
  private let didSetText: () -> Void
  init(didSetText: @escaping () -> Void) { self.didSetText = didSetText }
}

@available(macOS 26.0, iOS 26.0, *)
private struct Loops {
  @MainActor
  func show(_ settings: Settings, in label: Label) async {
    for await font in Observations({ settings.font }) {
      label.text = font
    }
  }
}

private enum Article {
  @MainActor
  static func watch(_ settings: Settings, _ print: @escaping @Sendable (String) -> Void) {
    withObservationTracking {
      _ = settings.font
    } onChange: {
      print("the font is about to change")
    }
  }

  @MainActor
  static func keepSaved(
    _ settings: Settings, on scheduler: some EventScheduler = .main,
    save: @MainActor (String, Int) async -> Void
  ) async {
    let didChange = ObservationEvent(
      on: scheduler, policy: .debounce(.seconds(1), maxWait: .seconds(10))
    ) { _ = (settings.font, settings.size) }
    for await _ in didChange.notifications {
      await save(settings.font, settings.size)
    }
  }

  static func pass(_ lines: AsyncStream<String>, to collector: CoalescingCollector<String>) async {
    for await line in lines { collector.add(line) }
  }
}

@MainActor
struct ObservationsSnippets {
  private let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  @Test("Documentation: a label shows the font of settings")
  @available(macOS 26.0, iOS 26.0, *)
  func observations() async {
    let settings = Settings()
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    var iterator = changes.makeAsyncIterator()
    let label = Label { continuation.yield() }
    let showing = Task { await Loops().show(settings, in: label) }
    await iterator.next()
    #expect(label.text == "Mono")
    settings.font = "Serif"
    await iterator.next()
    #expect(label.text == "Serif")
    showing.cancel()
    await showing.value
  }

  @Test("Documentation: tracking reports one change, before the change is written")
  func tracking() {
    let settings = Settings()
    Article.watch(settings) { [log] in log.add($0) }
    settings.font = "Serif"
    settings.font = "Sans"
    #expect(log.entries == ["the font is about to change"])
  }

  @Test("Documentation: settings are saved after a pause, once for a storm of changes")
  func policy() async throws {
    let (scheduler, log) = (scheduler, log)
    let settings = Settings()
    try await scheduler.runOnMain {
      let saving = Task {
        await Article.keepSaved(settings, on: scheduler) { font, size in
          log.add("\(font) \(size) at \(scheduler.milliseconds)")
        }
      }
      try await scheduler.clock.sleep(for: .milliseconds(100))
      for size in 13...20 {
        settings.size = size
        try await scheduler.clock.sleep(for: .milliseconds(100))
      }
      try await scheduler.clock.sleep(for: .seconds(5))
      saving.cancel()
      await saving.value
    }
    #expect(log.entries == ["Mono 20 at 1800"])
  }

  @Test("Documentation: two observers of one observation are called in the order of their addition")
  func observers() {
    let (scheduler, log) = (scheduler, log)
    let settings = Settings()
    let didChange = ObservationEvent(on: scheduler) { _ = settings.font }
    let title = didChange.addObserver { _ in log.add("title") }
    let preview = didChange.addObserver { _ in log.add("preview") }
    settings.font = "Serif"
    scheduler.advance()
    #expect(log.entries == ["title", "preview"])
    withExtendedLifetime((title, preview)) {}
  }

  @Test("Documentation: the lines of a stream are collected in batches")
  func stream() throws {
    let (scheduler, log) = (scheduler, log)
    try scheduler.run {
      let collector = CoalescingCollector<String>(
        on: scheduler, policy: .audit(.seconds(1)), keeping: .unlimited
      ) { log.add("\(Array($0))") }
      let (lines, continuation) = AsyncStream.makeStream(of: String.self)
      continuation.yield("a")
      continuation.yield("b")
      continuation.finish()
      await Article.pass(lines, to: collector)
      try await scheduler.clock.sleep(for: .seconds(2))
    }
    #expect(log.entries == ["[\"a\", \"b\"]"])
  }
}

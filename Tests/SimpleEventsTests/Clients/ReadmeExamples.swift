import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the README, which `ReadmeTests` compares with this file. The file has several types, since
// a snippet must be contiguous here.

@MainActor
final class Document {
  private let _didChange = LazySimpleEvent()  // on the main queue, once per turn
  nonisolated var didChange: any SimpleEventObservable & Sendable { _didChange }

  var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }
}

@MainActor
final class Window {
  private let document: Document
  private var documentDidChange: (any SimpleEventToken)?
  private(set) var caption = ""

  init(_ document: Document) {
    self.document = document
    document.didChange.addObserver(&documentDidChange) { [weak self] _ in self?.update() }
  }

  private func update() { caption = document.title }
}

final class SearchIndex: Sendable {
  private let refresh: CoalescingCallback

  init(on scheduler: some EventScheduler, rebuild: @escaping @Sendable () -> Void) {
    refresh = CoalescingCallback(
      on: scheduler, policy: .debounce(.milliseconds(200), maxWait: .seconds(2)), block: rebuild)
  }

  func fileDidChange() { refresh.schedule() }
}

/// Runs the snippet of the collector and the group observer; the results have to be kept.
func observeChanges(
  on queue: some EventScheduler, _ document: Document, _ settings: Document, _ log: Log
) -> (CoalescingCollector<String>, SimpleEventGroupObserver) {
  func reindex(_ paths: some Collection<String>) { log.add("reindex \(paths.joined(separator: ", "))") }
  func reindexEverything() { log.add("reindex everything") }
  func render(reloadingSettings: Bool) { log.add("render \(reloadingSettings)") }

  let changes = CoalescingCollector<String>(on: queue, keeping: .distinct(1000)) { paths in
    paths.droppedCount == 0 ? reindex(paths) : reindexEverything()
  }
  changes.add("README.md")

  let observer = SimpleEventGroupObserver(of: document.didChange, settings.didChange) { fired in
    render(reloadingSettings: fired.contains(settings.didChange))
  }
  return (changes, observer)
}

@Test func rebuildsOnceAfterPause() {
  let scheduler = TestScheduler()
  let recorder = EventRecorder(on: scheduler)
  let index = SearchIndex(on: scheduler) { recorder.record() }

  index.fileDidChange()
  scheduler.advance(by: .milliseconds(150))
  index.fileDidChange()
  scheduler.advance(by: .seconds(60))
  #expect(recorder.times == [.milliseconds(350)])
}

func recordMisuse(of testedCode: () -> Void) {
  withMisuseReported { misuse in
    Issue.record(Comment(rawValue: misuse.message))
  } operation: {
    testedCode()
  }
}

import Dispatch
import Observation
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the article "My observer is not called". Each remedy runs in virtual time, next to the
// error that it removes. A line that ends in "hidden" is not part of the text.

private enum Remedies {
  @MainActor
  final class Document {
    private let _didChange: LazySimpleEvent
    var didChange: any SimpleEventObservable { _didChange }
    var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }

    init(on scheduler: some EventScheduler = .main) {
      _didChange = LazySimpleEvent(on: scheduler, label: "document")
    }
  }

  @MainActor
  final class TitleBar {
    private let document: Document
    private var documentDidChange: (any SimpleEventToken)?
    private(set) var text = ""

    init(_ document: Document) {
      self.document = document
      document.didChange.addObserver(&documentDidChange) { [weak self] _ in self?.update() }
    }

    private func update() { text = document.title }
  }

  @MainActor @Observable
  final class Editor {
    var isDirty = false
    var title = "Draft"
  }

  @MainActor
  final class TitleWatcher {
    private let didChange: ObservationEvent
    private var token: (any SimpleEventToken)?

    init(_ editor: Editor, on scheduler: some EventScheduler = .main, show: @escaping (String) -> Void) {
      didChange = ObservationEvent(on: scheduler) { _ = editor.title }
      didChange.addObserver(&token) { _ in show(editor.title) }
    }
  }

  @MainActor
  final class Report {
    private let callback: CoalescingCallback

    init(on scheduler: some EventScheduler = .main, write: @escaping () -> Void) {
      callback = CoalescingCallback(on: scheduler, policy: .debounce(.seconds(1))) { write() }
    }

    func dataDidChange() { callback.schedule() }
  }
}

private typealias Document = Remedies.Document

@MainActor
private func program() {
  let document = Document()
  let token = document.didChange.addObserver { _ in print(document.title) }
  document.title = "Letter"
  withExtendedLifetime(token) { dispatchMain() }
}

@MainActor
private func onTheMainActor() -> LazySimpleEvent {
  let didChange = LazySimpleEvent(on: .actor(MainActor.shared))
  return didChange  // hidden
}

// This function is never called, because a process may install only one monitor.
private func inspected() {
  let inspector = CoalescingInspector()
  CoalescingSystem.bootstrap(inspector)
  // Later, for example on a signal or in a debugger:
  print(inspector)
}

@MainActor
struct NotCalledSnippets {
  private let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  @Test("Documentation: a description shows observers and pending notifications")
  func description() {
    let didChange = LazySimpleEvent(on: scheduler, label: "document")
    let token = didChange.addObserver { _ in }
    didChange.trigger()
    print(didChange)  // LazySimpleEvent "document", 1 observer, pending
    #expect(didChange.description == "LazySimpleEvent \"document\", 1 observer, pending")
    withExtendedLifetime(token) {}
  }

  @Test("Documentation: a block whose token is not kept is not called; a title bar keeps its token")
  func token() {
    let document = Document(on: scheduler)
    let log = log
    _ = document.didChange.addObserver { _ in log.add("lost") }  // the block is removed here

    let bar = Remedies.TitleBar(document)
    document.title = "Letter"
    scheduler.advance()
    #expect(log.entries == [])
    #expect(bar.text == "Letter")
  }

  @Test("Documentation: an event that is released does not notify; a watcher keeps its event")
  func event() {
    let log = log
    let editor = Remedies.Editor()
    var event: ObservationEvent? = ObservationEvent(on: scheduler) { _ = editor.title }
    let token = event?.addObserver { _ in log.add("released") }
    event = nil
    let watcher = Remedies.TitleWatcher(editor, on: scheduler) { log.add($0) }
    editor.title = "Letter"
    scheduler.advance()
    #expect(log.entries == ["Letter"])
    withExtendedLifetime((token, watcher)) {}
  }

  @Test("Documentation: a callback that is released discards its request")
  func owner() {
    let log = log
    var lost: Remedies.Report? = Remedies.Report(on: scheduler) { log.add("lost") }
    lost?.dataDidChange()
    lost = nil
    let report = Remedies.Report(on: scheduler) { log.add("written") }
    report.dataDidChange()
    scheduler.advance(by: .seconds(1))
    #expect(log.entries == ["written"])
  }

  @Test("Documentation: under a storm, a debounce delivers only with maxWait")
  func storm() {
    let endless = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(300)))
    let didChange = LazySimpleEvent(
      on: scheduler, policy: .debounce(.milliseconds(300), maxWait: .seconds(2)))
    let first = EventRecorder(endless, on: scheduler)
    let second = EventRecorder(didChange, on: scheduler)
    for _ in 0..<50 {
      endless.trigger()
      didChange.trigger()
      scheduler.advance(by: .milliseconds(100))
    }
    #expect(first.times == [])
    #expect(second.times == [.seconds(2), .seconds(4)])
  }

  @Test("Documentation: a leading-only policy ignores the last change")
  func leading() {
    let log = log
    var progress = 0
    let leading = CoalescingCallback(on: scheduler, policy: .throttle(.seconds(1), edges: .leading)) {
      log.add("leading \(progress)")
    }
    let both = CoalescingCallback(on: scheduler, policy: .throttle(.seconds(1))) {
      log.add("both \(progress)")
    }
    for step in [50, 100] {
      progress = step
      leading.schedule()
      both.schedule()
      scheduler.advance(by: .milliseconds(100))
    }
    scheduler.advance(by: .seconds(10))
    #expect(log.entries == ["leading 50", "both 50", "both 100"])
  }

  @Test("Documentation: an observation misses a property that its latest run has not read")
  func observation() {
    let editor = Remedies.Editor()
    let partial = ObservationEvent(on: scheduler) {
      if editor.isDirty { _ = editor.title }  // a clean editor's title is not observed
    }
    let didChange = ObservationEvent(on: scheduler) { _ = (editor.isDirty, editor.title) }
    let first = EventRecorder(partial, on: scheduler)
    let second = EventRecorder(didChange, on: scheduler)
    editor.title = "Letter"
    scheduler.advance()
    #expect(first.count == 0)
    #expect(second.count == 1)
  }

  @Test("Documentation: a loop without a host has no body to run")
  func host() async throws {
    let log = log
    let loop = RefreshLoop(on: scheduler, label: "index")
    loop.request()
    scheduler.advance()
    print(loop)  // RefreshLoop "index", without a host, pending
    #expect(loop.description == "RefreshLoop \"index\", without a host, pending")
    try await scheduler.runOnMain {
      let hosting = Task { await loop.run { log.add("run") } }
      await loop.settle()
      hosting.cancel()
      await hosting.value
    }
    #expect(log.entries == ["run"])
  }

  @Test("Documentation: a loop that ignores a request during a run makes no second run")
  func ignore() async throws {
    let log = log
    let clock = scheduler.clock
    let ignoring = RefreshLoop(on: scheduler, whenBusy: .ignore) {
      log.add("ignoring")
      try? await clock.sleep(for: .seconds(1))
    }
    let rerunning = RefreshLoop(on: scheduler) {
      log.add("rerunning")
      try? await clock.sleep(for: .seconds(1))
    }
    try await scheduler.runOnMain {
      for _ in 0..<2 {
        ignoring.request()
        rerunning.request()
        try await clock.sleep(for: .milliseconds(500))
      }
      try await clock.sleep(for: .seconds(10))
    }
    #expect(log.entries.filter { $0 == "ignoring" }.count == 1)
    #expect(log.entries.filter { $0 == "rerunning" }.count == 2)
  }
}

import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the documentation of all coalescing types, of schedulers and of diagnostics. Results that
// the text states are asserted.

private final class Owner: Wakeable {
  private let coalescer: Coalescer
  private let subject: DiagnosticSubject
  private let deliveries: Log

  init(on scheduler: some EventScheduler, _ deliveries: Log) {
    self.deliveries = deliveries
    subject = DiagnosticSubject(Owner.self, label: nil, misuse: .debugTrap, fileID: #fileID, line: #line)
    coalescer = Coalescer(on: scheduler, policy: .nextTurn, subject)
  }

  func signal() { coalescer.signal(for: self) }

  private func deliver() { deliveries.add("delivery") }

  func wake(_ cause: WakeCause) {
    if coalescer.wake(cause, for: self) == .delivers {
      deliver()
      coalescer.finish(for: self, subject)
    }
  }
}

@MainActor
private final class Page {
  private let _didChange = LazySimpleEvent()
  nonisolated var didChange: any SimpleEventObservable & Sendable { _didChange }
  var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }
}

@MainActor
struct CoalescingSnippets {
  private let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  @Test("Documentation: an owner of an engine delivers once for two signals")
  func engine() {
    let owner = Owner(on: scheduler, log)
    owner.signal()
    owner.signal()
    scheduler.advance()
    #expect(log.entries == ["delivery"])
  }

  @Test("Documentation: two requests of a callback cause one run")
  func callback() async {
    let (reloads, continuation) = AsyncStream.makeStream(of: Void.self)
    let log = log
    func reload() {
      log.add("reload")
      continuation.yield()
    }

    let callback = CoalescingCallback(on: .main, policy: .debounce(.milliseconds(100))) {
      reload()
    }
    callback.schedule()
    callback.schedule()  // one reload, 100 ms later

    for await _ in reloads { break }
    await mainQueueTurn()
    #expect(log.entries == ["reload"])
  }

  @Test("Documentation: a collector delivers the added paths")
  func collector() {
    let queue = scheduler
    func reindex(_ paths: some Collection<String>) { log.add("reindex \(paths.joined(separator: ", "))") }
    func reindexEverything() { log.add("reindex everything") }

    let collector = CoalescingCollector<String>(
      on: queue, policy: .debounce(.milliseconds(100)), keeping: .distinct(1000)
    ) { paths in
      paths.droppedCount == 0 ? reindex(paths) : reindexEverything()
    }
    collector.add("a.swift")

    scheduler.advance(by: .milliseconds(100))
    #expect(log.entries == ["reindex a.swift"])
  }

  @Test("Documentation: a group observer delivers the events that fired")
  func group() async {
    let settings = Page()
    let index = Page()
    let (refreshes, continuation) = AsyncStream.makeStream(of: Bool.self)
    func refresh(reloadingSettings: Bool) { continuation.yield(reloadingSettings) }

    let observer = SimpleEventGroupObserver(
      of: settings.didChange, index.didChange, on: .main,
      policy: .debounce(.milliseconds(100), maxWait: .seconds(1))
    ) { fired in
      refresh(reloadingSettings: fired.contains(settings.didChange))
    }

    settings.title = "a"
    for await reloadsSettings in refreshes {
      #expect(reloadsSettings)
      break
    }
    withExtendedLifetime(observer) {}
  }

  @Test("Documentation: a handler receives misuse, and an event that is used correctly reports none")
  func misuse() {
    let event = SimpleEvent(
      misuse: .report { misuse in Issue.record(Comment(rawValue: misuse.message)) })

    event.trigger()
  }

  @Test("Documentation: the same event runs live and in virtual time")
  func schedulers() {
    let live = LazySimpleEvent(on: .main)
    let tested = LazySimpleEvent(on: TestScheduler())
    #expect(!live.isPending && !tested.isPending)
  }
}

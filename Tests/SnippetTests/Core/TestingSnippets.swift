import Dispatch
import SimpleEvents
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

// The snippets of the documentation of SimpleEventsTesting, with the results that the text states.

private final class Model {
  private let _didChange: LazySimpleEvent
  var didChange: any SimpleEventObservable { _didChange }

  init(on scheduler: some EventScheduler) { _didChange = LazySimpleEvent(on: scheduler) }

  func rename() { _didChange.trigger() }
  func close() {}
}

struct TestingSnippets {
  @Test("Documentation: a test scheduler moves time when it is advanced")
  func advance() {
    let scheduler = TestScheduler()
    let event = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(100)))
    let recorder = EventRecorder(event, on: scheduler)
    event.trigger()
    scheduler.advance(by: .milliseconds(99))
    #expect(recorder.times == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(recorder.times == [.milliseconds(100)])
  }

  @Test("Documentation: a recorder counts the notifications of an event")
  func recorder() {
    let scheduler = TestScheduler()
    let model = Model(on: scheduler)  // hidden
    let recorder = EventRecorder(model.didChange, on: scheduler)
    model.rename()
    scheduler.advance()
    #expect(recorder.count == 1)
  }

  @Test("Documentation: a closure receives the misuse of an operation")
  func misuse() {
    let model = Model(on: TestScheduler())
    withMisuseReported { misuse in
      Issue.record(Comment(rawValue: misuse.message))
    } operation: {
      model.close()
    }
  }

  @Test("Documentation: a test expects a misuse", .enabled(if: isDebug))
  func expectedMisuse() {
    let scheduler = TestScheduler()
    let kinds = Mutex<[Misuse.Kind]>([])
    withMisuseReported { misuse in
      kinds.withLock { $0.append(misuse.kind) }
    } operation: {
      _ = CoalescingCallback(on: scheduler, policy: .throttle(.seconds(1), edges: [])) {}
    }
    #expect(kinds.withLock { $0 } == [.noEdges])
  }

  @Test("Documentation: a run takes no real time")
  func run() throws {
    let scheduler = TestScheduler()
    let waited = try scheduler.run {
      try await scheduler.clock.sleep(for: .seconds(3600))
      return scheduler.elapsed
    }
    #expect(waited == .seconds(3600))
  }
}

private enum Actors {
  actor Index {
    private let scheduler: TestScheduler
    nonisolated var unownedExecutor: UnownedSerialExecutor { scheduler.asUnownedSerialExecutor() }
    init(on scheduler: TestScheduler) { self.scheduler = scheduler }  // hidden
  }
}

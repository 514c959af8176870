import Dispatch
import SimpleEvents
import SimpleEventsTesting
import Testing

// The snippets of the README, which `ReadmeTests` compares with this file. The file has several types, since
// a snippet must be contiguous here.

@MainActor
final class Document {
  private let _didChange = LazySimpleEvent()  // on the main queue, once a turn
  var didChange: any SimpleEventObservable { _didChange }

  var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }
  var body = "" { didSet { _didChange.trigger(if: body != oldValue) } }
}

@MainActor
final class Window {
  private let document: Document
  private var documentDidChange: (any SimpleEventToken)?
  private(set) var caption = ""

  init(_ document: Document) {
    self.document = document
    document.didChange.addObserver(&documentDidChange) { [weak self] _ in self?.update() }
    update()
  }

  private func update() { caption = document.title }
}

final class SearchIndex: Sendable {
  private let refresh: CoalescingCallback

  init(rebuild: @escaping @Sendable () -> Void) {
    refresh = CoalescingCallback(
      on: DispatchQueue(label: "index"),
      policy: .debounce(.milliseconds(200), maxWait: .seconds(2)),
      block: rebuild)
  }

  func fileDidChange() { refresh.schedule() }
}

@Test func refreshesOnceItIsQuiet() {
  let scheduler = TestScheduler()
  let event = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(200)))
  let recorder = EventRecorder(event, on: scheduler)

  event.trigger()
  scheduler.advance(by: .milliseconds(150))
  event.trigger()
  scheduler.advance(by: .seconds(60))

  #expect(recorder.times == [.milliseconds(350)])
}

func strictEvent() -> SimpleEvent {
  let event = SimpleEvent(
    misuse: .report { misuse in Issue.record(Comment(rawValue: misuse.message)) })
  return event
}

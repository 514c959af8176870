import Dispatch
import SimpleEvents
import SimpleEventsTesting
import Synchronization
import Testing

// Clients as they are written in Swift 6 mode: `@MainActor` is all the annotation there is.

@MainActor
private final class DocumentModel {
  private let _didChange = LazySimpleEvent()
  var didChange: any SimpleEventObservable { _didChange }

  var title: String = "" {
    didSet { _didChange.trigger(if: title != oldValue) }
  }
}

@MainActor
private final class TitleView {
  private let model: DocumentModel
  private var modelDidChange: (any SimpleEventToken)?
  private(set) var shown: [String] = []
  var onUpdate: () -> Void = {}

  init(_ model: DocumentModel) {
    self.model = model
    model.didChange.addObserver(&modelDidChange) { [weak self] _ in self?.update() }
  }

  private func update() {
    shown.append(model.title)
    onUpdate()
  }
}

/// Delegate style. In a module without `InferIsolatedConformances` it says `@MainActor SimpleEventObserver`.
@MainActor
private final class Sidebar: SimpleEventObserver {
  private(set) var count: Int = 0
  var onUpdate: () -> Void = {}

  func start(_ event: any SimpleEventObservable) {
    event.addObserver(self)
  }

  func stop(_ event: any SimpleEventObservable) {
    event.removeObserver(self)
  }

  func simpleEventDidTrigger(_ event: any SimpleEventObservable) {
    count += 1
    onUpdate()
  }
}

@MainActor
private final class Workspace {
  private let parent = SimpleEvent()
  private let child = SimpleEvent()
  private lazy var proxy = SimpleEventProxy(events: parent, child)
  private(set) lazy var found = SimpleMailbox<String>(event: proxy)
  private lazy var group = SimpleEventGroupObserver(events: parent, child, debounceTimeout: 0.001) {
    [weak self] fired in self?.refresh(fired.count)
  }
  private(set) var refreshed: [Int] = []
  var onRefresh: () -> Void = {}

  func change() {
    withExtendedLifetime(group) {}
    parent.coalescingNotifications {
      parent.trigger()
      child.trigger()
    }
  }

  private func refresh(_ count: Int) {
    refreshed.append(count)
    onRefresh()
  }
}

/// Confined to one background queue, and told from other threads that there is something to do.
private final class Index: Sendable {
  let queue: DispatchQueue = DispatchQueue(label: "index")
  let didChange: LazySimpleEvent
  private let words: Mutex<[String]> = Mutex([])

  init() {
    didChange = LazySimpleEvent(queue: queue)
  }

  func add(_ word: String) {
    words.withLock { $0.append(word) }
    didChange.trigger()
  }

  var count: Int { words.withLock { $0.count } }
}

/// Lives on the queue of the index: no actor, no `Sendable`, no annotation.
private final class IndexReader {
  private var token: (any SimpleEventToken)?
  private var seen: Int = 0

  init(_ index: Index, until count: Int, done: @escaping () -> Void) {
    index.didChange.addObserver(&token) { [unowned self] _ in
      seen = index.count
      if seen == count { done() }
    }
  }
}

@MainActor
@Suite(.serialized) struct Swift6ClientTests {
  @Test func `a model and its observer live on the main actor`() async {
    let model = DocumentModel()
    let view = TitleView(model)
    let sidebar = Sidebar()
    sidebar.start(model.didChange)
    await withCheckedContinuation { continuation in
      sidebar.onUpdate = { continuation.resume() }
      model.title = "a"
      model.title = "b"
    }
    #expect(view.shown == ["b"])
    #expect(sidebar.count == 1)
    sidebar.stop(model.didChange)
  }

  @Test func `proxies, mailboxes and groups live on the main actor`() async {
    let workspace = Workspace()
    await withCheckedContinuation { continuation in
      workspace.onRefresh = { continuation.resume() }
      workspace.change()
    }
    #expect(workspace.refreshed == [2])
    workspace.found.placeIfFits("a word")
    #expect(workspace.found.take() == "a word")
  }

  @Test func `an event that is confined to a queue is triggered from other threads`() async {
    let index = Index()
    let isDone = DispatchSemaphore(value: 0)
    let reader = index.queue.sync {
      Confined(IndexReader(index, until: 40) { isDone.signal() })
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
          for word in 0..<10 { index.add("\(word)") }
        }
        isDone.wait()
        continuation.resume()
      }
    }
    #expect(index.count == 40)
    index.queue.sync { reader.release() }
  }
}

/// Carries the test's reader to its queue and back.
///
/// NB: `@unchecked` for the test's sake; the reader is used on its queue only.
private final class Confined: @unchecked Sendable {
  private var reader: IndexReader?

  init(_ reader: IndexReader) {
    self.reader = reader
  }

  func release() {
    reader = nil
  }
}

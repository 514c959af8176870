import SimpleEvents

// The snippets of the documentation of events and observers. A line that ends in "hidden" is not part of the
// text.

private enum Observables {
  final class Model {
    private let _didChange = LazySimpleEvent()
    var didChange: any SimpleEventObservable { _didChange }
  }

  @MainActor
  final class Document {
    private let _didChange = LazySimpleEvent(on: .main)
    nonisolated var didChange: any SimpleEventObservable & Sendable { _didChange }
  }

  final class View {
    private var didChange: (any SimpleEventToken)?
    init(_ model: Model) {
      model.didChange.addObserver(&didChange) { [weak self] _ in self?.update() }
    }
    private func update() {}  // hidden
  }
}

private enum Synchronous {
  final class Model {
    private let _didChange = SimpleEvent()
    var didChange: any SimpleEventObservable { _didChange }
    var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }
  }
}

private enum Lazy {
  final class Model: Sendable {
    private let _didChange = LazySimpleEvent(on: .main)
    var didChange: any SimpleEventObservable & Sendable { _didChange }
    func finish() { _didChange.trigger() }
  }
}

private enum Proxies {
  final class Model {
    let parent = Synchronous.Model()  // hidden
    let child = Synchronous.Model()  // hidden
    private lazy var proxy = SimpleEventProxy(of: parent.didChange, child.didChange)
    var didChange: any SimpleEventObservable { proxy }
  }
}

private enum Mailboxes {
  final class Scanner {
    private let _didChange = LazySimpleEvent()
    var didChange: any SimpleEventObservable { _didChange }
    private(set) lazy var found = SimpleMailbox<String>(event: _didChange)
    func scan() { found.placeIfFits("a result") }
  }
}

protocol DownloadObserver: AnyObject {
  func downloadDidFinish(_ download: Download)
}

final class Download {
  private let hub = ObserverHub<any DownloadObserver>()
  func addObserver(_ observer: any DownloadObserver) { hub.add(observer) }
  func removeObserver(_ observer: any DownloadObserver) { hub.remove(observer) }
  private func finish() { hub.forEach { $0.downloadDidFinish(self) } }
}

private enum Overview {
  @MainActor
  final class Document {
    private let _didChange = LazySimpleEvent(on: .main, policy: .debounce(.milliseconds(100)))
    var didChange: any SimpleEventObservable { _didChange }
    var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }
  }

  @MainActor
  final class Window {
    private var token: (any SimpleEventToken)?
    init(_ document: Document) {
      document.didChange.addObserver(&token) { _ in print("the document has changed") }
    }
  }
}

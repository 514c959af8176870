import Observation
import SimpleEvents
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

// The snippets of the documentation of observation and of asynchronous sequences. A line that ends in
// "hidden" is not part of the text.

final class Progress: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let state = Mutex(0.0)

  var fraction: Double {
    get {
      registrar.access(self, keyPath: \.fraction)
      return state.withLock { $0 }
    }
    set {
      state.withLock { fraction in
        registrar.withMutation(of: self, keyPath: \.fraction) { fraction = newValue }
      }
    }
  }
}

final class UnsafeProgress: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let state = Mutex(0.0)

  var fraction: Double {
    get {
      registrar.access(self, keyPath: \.fraction)
      return state.withLock { $0 }
    }
    set {
      registrar.withMutation(of: self, keyPath: \.fraction) {
        state.withLock { $0 = newValue }  // an observer may already have read the old value
      }
    }
  }
}

@MainActor
@Observable
private final class Titled {
  var title = ""
  @ObservationIgnored
  private lazy var didChange = ObservationEvent { [weak self] in _ = self?.title }

  var event: any SimpleEventObservable & Sendable { didChange }
}

@MainActor
private enum Article {
  @Observable
  final class Settings {
    var font = "Mono"
    var size = 12
  }

  static func observe(_ print: @escaping (String, Int) -> Void) -> (LazySimpleEvent, Any) {  // hidden
    let settings = Settings()
    let didChange = ObservationEvent(on: .main, policy: .debounce(.milliseconds(100))) {
      _ = (settings.font, settings.size)
    }
    let token = didChange.addObserver { _ in
      print(settings.font, settings.size)
    }

    settings.font = "Serif"
    return (didChange, token as Any)
  }
}

@MainActor
private func limit(_ settings: Article.Settings, _ didChange: ObservationEvent) async {
  for await _ in didChange.notifications {
    if settings.size > 48 { settings.size = 48 }
  }
}

@MainActor
private func observe(_ document: SavedDocument, _ settings: Article.Settings) -> (LazySimpleEvent, Any) {
  let didChange = ObservationEvent(on: .main) { _ = (document.title, settings.font) }
  let token = didChange.addObserver { _ in print(document.title) }
  return (didChange, token as Any)
}

@MainActor
@Observable
private final class SavedDocument {
  var title = ""
  @ObservationIgnored private(set) lazy var didChange: LazySimpleEvent = LazySimpleEvent()
}

@MainActor
private func keepSaved(_ document: SavedDocument, _ save: (SavedDocument) async -> Void) async {
  for await _ in document.didChange.notifications {
    await save(document)  // all changes during a save cause one more
  }
}

private func add(_ paths: SimpleMailbox<String>, to index: PathIndex) async {
  let scanner = (found: paths, ())  // hidden
  while let path = await scanner.found.next() {
    await index.add(path)
  }
}

private actor PathIndex {
  private(set) var paths: [String] = []
  func add(_ path: String) { paths.append(path) }
}

@MainActor
struct ObservationSnippets {
  @Test("Documentation: the observer of settings prints the new font")
  func settings() async {
    let (fonts, continuation) = AsyncStream.makeStream(of: String.self)
    let observation = Article.observe { font, size in continuation.yield("\(font) \(size)") }
    for await font in fonts {
      #expect(font == "Serif 12")
      break
    }
    withExtendedLifetime(observation) {}
  }

  @Test("Documentation: a progress keeps the last fraction")
  func progress() {
    let progress = Progress()
    progress.fraction = 0.5
    #expect(progress.fraction == 0.5)
    let unsafe = UnsafeProgress()
    unsafe.fraction = 0.5
    #expect(unsafe.fraction == 0.5)
  }

  @Test("Documentation: a document is saved after a change")
  func save() async {
    let document = SavedDocument()
    let titled = Titled()
    let observation = observe(document, Article.Settings())
    let (saves, continuation) = AsyncStream.makeStream(of: Void.self)
    let keeping = Task { await keepSaved(document) { _ in continuation.yield() } }
    await mainQueueTurn()
    document.didChange.trigger()
    for await _ in saves { break }
    keeping.cancel()
    withExtendedLifetime((observation, titled.event)) {}
  }

  @Test("Documentation: an index adds the paths that a scanner has found")
  func paths() async {
    let found = SimpleMailbox<String>(event: LazySimpleEvent())
    let index = PathIndex()
    let adding = Task { await add(found, to: index) }
    found.replace("README.md")
    while await index.paths.isEmpty { await Task.yield() }
    adding.cancel()
    await adding.value
    #expect(await index.paths == ["README.md"])
  }
}

import SimpleEvents

/// A model of the main actor, which code on any actor may observe.
@MainActor
final class Document {
  private let _didChange = LazySimpleEvent()
  nonisolated var didChange: any SimpleEventObservable & Sendable { _didChange }

  var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }
}

/// A view, which updates once for any number of changes.
@MainActor
final class Window {
  private let document: Document
  private var documentDidChange: (any SimpleEventToken)?
  private(set) var captions: [String] = []

  init(_ document: Document) {
    self.document = document
    document.didChange.addObserver(&documentDidChange) { [weak self] _ in self?.update() }
  }

  private func update() { captions.append(document.title) }
}

@MainActor
func showDocument() async {
  let document = Document()
  let window = Window(document)
  let changes = document.didChange.notifications
  document.title = "Draft"
  document.title = "Letter"
  for await _ in changes { break }
  print("main actor:", window.captions)
}

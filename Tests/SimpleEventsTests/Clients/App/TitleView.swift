import SimpleEvents

/// A main-actor class that observes a model with a block.
@MainActor
final class TitleView {
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

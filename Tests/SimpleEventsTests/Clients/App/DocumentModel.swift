import SimpleEvents

/// A main-actor model that shows its event as an observable.
@MainActor
final class DocumentModel {
  private let _didChange = LazySimpleEvent()
  var didChange: any SimpleEventObservable { _didChange }

  var title: String = "" {
    didSet { _didChange.trigger(if: title != oldValue) }
  }
}

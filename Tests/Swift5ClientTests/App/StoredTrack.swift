import SimpleEvents

/// A track that notifies synchronously, and the base of a class hierarchy.
class StoredTrack: Track {
  private let _didChange = SimpleEvent()
  var didChange: SimpleEventObservable { _didChange }

  private(set) var title: String {
    didSet { _didChange.trigger(if: title != oldValue) }
  }

  private(set) var artist: String = "" {
    didSet { _didChange.trigger(if: artist != oldValue) }
  }

  init(title: String) {
    self.title = title
  }

  func touch() {
    _didChange.trigger()
  }

  func rename(_ title: String) {
    self.title = title
  }

  /// Makes two changes with one notification.
  func retag(title: String, artist: String) {
    _didChange.coalescingNotifications {
      self.title = title
      self.artist = artist
    }
  }

  /// Makes the same two changes, with the argument label and a nested block.
  func correct(title: String, artist: String) {
    _didChange.coalescingNotifications(block: {
      rename(title)
      retag(title: title, artist: artist)
      // This call does not reset the pending trigger.
      _didChange.trigger(if: false)
    })
  }

  /// Runs changes that are given as a function value and that may change nothing.
  func batch(_ changes: () -> ()) {
    _didChange.coalescingNotifications(block: changes)
  }
}

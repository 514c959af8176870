import SimpleEvents

/// What the screens of a player see of a track.
protocol Track: AnyObject {
  var title: String { get }
  var artist: String { get }
  var didChange: SimpleEventObservable { get }
}

/// A track that notifies at once. The head of a small class hierarchy.
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

  /// Two changes, one notification.
  func retag(title: String, artist: String) {
    _didChange.coalescingNotifications {
      self.title = title
      self.artist = artist
    }
  }

  /// The same, in other spellings: with the label, and a batch inside a batch.
  func correct(title: String, artist: String) {
    _didChange.coalescingNotifications(block: {
      rename(title)
      retag(title: title, artist: artist)
      // Takes back nothing.
      _didChange.trigger(if: false)
    })
  }

  /// A batch from a method, as a value, in which nothing may change at all.
  func batch(_ changes: () -> ()) {
    _didChange.coalescingNotifications(block: changes)
  }
}

/// A subclass with something more that can change.
final class RatedTrack: StoredTrack {
  var stars: Int = 0 {
    didSet {
      guard stars != oldValue else { return }
      touch()
    }
  }
}

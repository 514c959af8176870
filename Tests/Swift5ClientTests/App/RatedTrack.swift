/// A subclass with another property that notifies.
final class RatedTrack: StoredTrack {
  var stars: Int = 0 {
    didSet {
      guard stars != oldValue else { return }
      touch()
    }
  }
}

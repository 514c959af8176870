import SimpleEvents

/// A model with one lazy event for its own changes and the changes of its tracks.
class Playlist {
  let cover: StoredTrack
  let theme: StoredTrack

  private lazy var proxy = SimpleEventProxy(events: cover.didChange, theme.didChange)
  var didChange: SimpleEventObservable { proxy }

  var name: String = "" {
    didSet { proxy.trigger(if: name != oldValue) }
  }

  init(cover: StoredTrack, theme: StoredTrack) {
    self.cover = cover
    self.theme = theme
  }
}

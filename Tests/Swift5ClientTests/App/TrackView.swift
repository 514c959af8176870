import SimpleEvents

/// A view that observes a track, and an optional second track.
final class TrackView {
  private let track: Track
  private var trackDidChange: SimpleEventToken?
  private var nextDidChange: SimpleEventToken?

  private(set) var text: String = ""
  private(set) var updates: Int = 0

  var next: Track? {
    didSet {
      // Without a next track the optional chain returns nil. The assignment then releases the previous token
      // and its block.
      nextDidChange = next?.didChange.addObserver { [weak self] _ in
        self?.update()
      }
      update()
    }
  }

  init(track: Track) {
    self.track = track
    track.didChange.addObserver(&trackDidChange) { [weak self] _ in
      self?.update()
    }
    update()
  }

  func pause() {
    trackDidChange?.remove()
    trackDidChange = nil
  }

  private func update() {
    updates += 1
    text = [track.title, next?.title].compactMap { $0 }.joined(separator: ", ")
  }
}

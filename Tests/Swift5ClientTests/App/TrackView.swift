import SimpleEvents
import TestSupport

/// A screen that follows a track with a token, and another one that may be there with a second.
final class TrackView {
  private let track: Track
  private var trackDidChange: SimpleEventToken?
  private var nextDidChange: SimpleEventToken?

  private(set) var text: String = ""
  private(set) var updates: Int = 0

  var next: Track? {
    didSet {
      // Nil when there is no next track: then the old token goes, and with it the old block.
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

/// An observer in delegate style that says goodbye when it goes.
final class PlayCounter: SimpleEventObserver {
  private let events: [SimpleEventObservable]
  private let log: Log

  init(_ events: SimpleEventObservable..., log: Log) {
    self.events = events
    self.log = log
    for event in events {
      event.addObserver(self)
    }
  }

  deinit {
    for event in events {
      event.removeObserver(self)
    }
  }

  func simpleEventDidTrigger(_ event: SimpleEventObservable) {
    let index = events.firstIndex { $0 === event }
    log.add("event \(index.map { String($0) } ?? "unknown")")
  }
}

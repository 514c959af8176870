import Dispatch
import SimpleEvents
import SimpleEventsTesting
import Testing

// The snippets of the article "Getting started". The file has several types, because each snippet must be
// contiguous.

@MainActor
final class Playlist {
  private let _didChange: LazySimpleEvent
  nonisolated var didChange: any SimpleEventObservable & Sendable { _didChange }

  private(set) var songs: [String] = []

  init(on scheduler: some EventScheduler = .main) {
    _didChange = LazySimpleEvent(on: scheduler)
  }

  func add(_ song: String) {
    songs.append(song)
    _didChange.trigger()
  }
}

@MainActor
final class PlaylistView {
  private let playlist: Playlist
  private var playlistDidChange: (any SimpleEventToken)?
  private(set) var text = ""

  init(_ playlist: Playlist) {
    self.playlist = playlist
    playlist.didChange.addObserver(&playlistDidChange) { [weak self] _ in self?.update() }
  }

  private func update() { text = playlist.songs.joined(separator: ", ") }
}

@MainActor
@Test func updatesOnceForTwoSongs() {
  let scheduler = TestScheduler()
  let playlist = Playlist(on: scheduler)
  let view = PlaylistView(playlist)
  let recorder = EventRecorder(playlist.didChange, on: scheduler)

  playlist.add("So What")
  playlist.add("Blue in Green")
  #expect(view.text == "")

  scheduler.advance()
  #expect(view.text == "So What, Blue in Green")
  #expect(recorder.count == 1)
}

@MainActor
final class Library {
  private let _didChange: LazySimpleEvent

  init(on given: (any EventScheduler)? = nil) {
    let scheduler: any EventScheduler = given ?? .main
    _didChange = LazySimpleEvent(on: scheduler)
  }
}

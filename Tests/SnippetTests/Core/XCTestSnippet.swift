import SimpleEvents
import SimpleEventsTesting
import XCTest

// The snippet for XCTest in the article "Testing with virtual time".

final class PlaylistTests: XCTestCase {
  @MainActor func testNotifiesOnceForTwoSongs() async {
    let scheduler = TestScheduler()
    let playlist = Playlist(on: scheduler)
    let recorder = EventRecorder(playlist.didChange, on: scheduler)
    playlist.add("So What")
    playlist.add("Blue in Green")
    scheduler.advance()
    XCTAssertEqual(recorder.count, 1)
  }
}

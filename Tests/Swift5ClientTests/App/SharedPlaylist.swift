import Dispatch
import SimpleEvents

/// A subclass with a second proxy. The sources of this proxy are an array that includes the first proxy.
final class SharedPlaylist: Playlist {
  let owner: Track

  private(set) lazy var everything: SimpleEventProxy = SimpleEventProxy(
    queue: .main, events: [didChange, owner.didChange])

  /// A mailbox whose event is a proxy. This compiles because a proxy is a lazy event.
  private(set) lazy var requests = SimpleMailbox<String>(event: everything)

  init(owner: Track, cover: StoredTrack, theme: StoredTrack) {
    self.owner = owner
    super.init(cover: cover, theme: theme)
  }
}

internal import Synchronization

/// What keeps a block in an event's list.
///
/// It holds the list, not the event: an event that goes away closes its list, so that a token which is
/// kept longer holds an empty shell.
final class BlockToken: SimpleEventToken {
  private let list: ObserverList
  /// The registration, not retained; taken by the first removal.
  ///
  /// Why this is sound: the list holds the entry until this token removes it or the list is closed. Whoever
  /// takes it hands it to the list, which looks at it under its lock, and not at all once it is closed.
  ///
  /// The exchange acquires and releases: the second of two removals sees what the first has done.
  private let entry: Atomic<Unmanaged<BlockObserver>?>

  init(_ entry: BlockObserver, in list: ObserverList) {
    self.list = list
    self.entry = Atomic(Unmanaged.passUnretained(entry))
  }

  deinit {
    remove()
  }

  func remove() {
    if let entry = entry.exchange(nil, ordering: .acquiringAndReleasing) {
      list.uninstall(entry)
    }
  }
}

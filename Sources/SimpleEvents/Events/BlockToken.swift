/// What keeps a block in an event's list.
///
/// It holds the list, not the event: an event that goes away empties its list, so that a token which is
/// kept longer holds an empty shell.
final class BlockToken: SimpleEventToken {
  private let list: ObserverList
  /// Guards the registration; taken by the first removal.
  private let entry: Guarded<BlockObserver?>

  init(_ entry: BlockObserver, in list: ObserverList) {
    self.list = list
    self.entry = Guarded(entry)
  }

  deinit {
    remove()
  }

  func remove() {
    let entry = entry.withLock { entry -> BlockObserver? in
      defer { entry = nil }
      return entry
    }
    if let entry {
      list.uninstall(entry)
    }
    // The entry, and the block with it, is let go here, outside both locks, or by the cycle in progress.
  }
}

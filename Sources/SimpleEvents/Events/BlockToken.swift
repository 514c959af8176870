/// The token of a block in an event's list.
///
/// It retains the list, and a list does not keep its event alive. The deallocation of an event closes and
/// empties its list.
@safe final class BlockToken: SimpleEventToken {
  private let list: ObserverList
  /// The registration, not retained; nil after removal.
  ///
  /// SAFETY: the list's lock guards this property. The list retains the entry until this token removes the
  /// entry, or until the list is closed. A removal from a closed list does not read the entry.
  private nonisolated(unsafe) var entry: Unmanaged<BlockObserver>?

  init(_ entry: BlockObserver, in list: ObserverList) {
    self.list = list
    unsafe self.entry = unsafe Unmanaged.passUnretained(entry)
  }

  deinit { remove() }

  func remove() {
    list.remove { unsafe entry.take()?.takeUnretainedValue() }
  }
}

// SAFETY: a list is safe to use from any thread (H5), and its lock guards the entry.
extension BlockToken: @unchecked Sendable {}

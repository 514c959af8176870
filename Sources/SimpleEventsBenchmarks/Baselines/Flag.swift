internal import Synchronization

/// The least that a coalesced signal can cost: one read-modify-write.
final class Flag: Sendable {
  private let isSet: Atomic<Bool> = Atomic(false)

  @inline(__always)
  func set() -> Bool {
    isSet.exchange(true, ordering: .acquiringAndReleasing)
  }
}

internal import Synchronization

/// One read-modify-write. It is the lower bound of the cost of a coalesced signal.
final class Flag: Sendable {
  private let isSet: Atomic<Bool> = Atomic(false)

  @inline(__always)
  func set() -> Bool {
    isSet.exchange(true, ordering: .acquiringAndReleasing)
  }
}

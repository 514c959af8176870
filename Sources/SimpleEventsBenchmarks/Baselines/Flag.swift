internal import Synchronization

/// A flag that is set by one atomic exchange. The exchange is the lower bound of the cost of a coalesced
/// signal.
final class Flag: Sendable {
  private let isSet: Atomic<Bool> = Atomic(false)

  @inline(__always)
  func set() -> Bool {
    isSet.exchange(true, ordering: .acquiringAndReleasing)
  }
}

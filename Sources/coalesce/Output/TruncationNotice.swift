internal import Synchronization

/// The notice that a line was cut, written once.
final class TruncationNotice: Sendable {
  private let limit: Int
  // Relaxed: the flag orders no other data.
  private let isWritten: Atomic<Bool> = Atomic(false)

  init(limit: Int) {
    self.limit = limit
  }

  func report() {
    if isWritten.exchange(true, ordering: .relaxed) { return }
    Output.report("a line of more than \(limit) bytes was cut, as later ones will be (--limit)")
  }
}

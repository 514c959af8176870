internal import ExplorerSynchronization

/// A number that one thread writes before it signals. Deliveries read the number.
///
/// Its accesses are relaxed, so a read may return an older number unless the signal orders it.
final class Datum {
  private let number: Atomic<Int> = Atomic(0)
  private var written: Int = 0
  private var seen: Int = 0

  func write() {
    written += 1
    number.store(written, ordering: .relaxed)
  }

  func read() {
    seen = max(seen, number.load(ordering: .relaxed))
  }

  /// Whether a delivery has read the latest number.
  var isSeen: Bool { seen == written }
}

/// Memory outside the processor's caches, so that writes to it take a long time.
final class ColdMemory {
  private let words: UnsafeMutableBufferPointer<Int>
  private var position: Int = 0

  init() {
    words = .allocate(capacity: 1 << 22)
    words.initialize(repeating: 0)
  }

  deinit {
    words.deallocate()
  }

  /// Fills the store buffer of the processor, so that later writes wait.
  func fillStoreBuffer() {
    for _ in 0..<16 {
      // Consecutive positions are far from each other, so that neither a cached line nor the prefetcher
      // helps.
      position = (position &* 5 &+ 1_048_573) & (words.count - 1)
      words[position] = position
    }
  }
}

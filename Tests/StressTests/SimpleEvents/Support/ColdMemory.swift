/// Memory outside the processor's caches, so that writes to it take long.
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

  /// Queues writes in the processor, behind which later writes wait.
  func fillStoreBuffer() {
    for _ in 0..<16 {
      // Far from each other, so that neither a cached line nor the prefetcher helps.
      position = (position &* 5 &+ 1_048_573) & (words.count - 1)
      words[position] = position
    }
  }
}

import SimpleEvents
import TestSupport
import Testing

/// Compares the queue with an array.
struct FifoTests {
  @Test("Fifo: 200 random programs agree with an array")
  func random() {
    for seed in 0..<200 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var queue = Fifo<Int>()
      var model: [Int] = []
      for step in 0..<200 {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0:
          queue.prepend(step)
          model.insert(step, at: 0)
        case 1...3:
          let (first, expected) = (queue.popFirst(), model.first)
          if expected != nil { model.removeFirst() }
          #expect(first == expected, "seed \(seed)")
        default:
          queue.append(step)
          model.append(step)
        }
        #expect(queue.count == model.count && queue.isEmpty == model.isEmpty, "seed \(seed)")
        #expect(queue.first == model.first && queue.last == model.last, "seed \(seed)")
      }
      #expect(queue.all == model, "seed \(seed)")
    }
  }

  @Test("Fifo: an element that is taken out is released")
  func release() {
    var queue = Fifo<Canary>()
    weak var first: Canary?
    do {
      let canary = Canary()
      first = canary
      queue.append(canary)
    }
    for _ in 0..<100 { queue.append(Canary()) }
    _ = queue.popFirst()
    #expect(first == nil)
  }
}

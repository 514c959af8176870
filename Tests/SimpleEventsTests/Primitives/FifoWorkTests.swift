#if DEBUG
  @testable import SimpleEvents
  import TestSupport
  import Testing

  /// The elements that the queue moves, and the slots that it has.
  struct FifoWorkTests {
    @Test("Fifo: additions in front and removals move few elements, and leave few free slots")
    func moves() {
      for seed in 0..<20 {
        var generator = SeededGenerator(seed: UInt64(seed))
        var queue = Fifo(0..<1000)
        var (operations, moved) = (1000, 0)
        for phase in 0..<20 {
          // Additions and removals alternate in the first phase, and come in random numbers in the others.
          let share = phase == 0 ? nil : Int.random(in: 20..<70, using: &generator)
          for step in 0..<500 {
            let prepends = share.map { Int.random(in: 0..<100, using: &generator) < $0 } ?? (step % 2 == 0)
            let slots = queue.elements.count
            if prepends { queue.prepend(step) } else { _ = queue.popFirst() }
            if queue.elements.count != slots { moved += queue.count }
            operations += 1
            #expect(queue.elements.count <= 3 * queue.count + 16)
          }
        }
        #expect(moved <= 4 * operations, "seed \(seed)")
      }
    }
  }
#endif

#if DEBUG
  import SimpleEvents
  @testable import SimpleObservables
  import Testing

  @Suite struct StepQueueTests {
    @Test("V3: a thread yields when it has queued a step, and 1,024 or a multiple of them are queued")
    func yields() {
      let queue = RecordingSteps()
      queue.submit(0) {
        let yields = (1...3000).filter { queue.outcome(of: $0) == .yields }
        #expect(yields == [1024, 2048])
      }
      #expect(queue.performed == Array(1...3000))
    }

    @Test("V3: a thread that finds the queue idle performs its step, and a refused step has no effect")
    func performs() {
      let queue = RecordingSteps()
      var count = 0
      queue.submit(1, if: { false }) { count += 1 }
      #expect(count == 0)
      queue.submit(1) { count += 1 }
      #expect(count == 1)
      #expect(queue.performed.isEmpty)
    }
  }

  /// A queue that records the queued steps when it performs them.
  private final class RecordingSteps: StepQueue<Int>, @unchecked Sendable {
    // SAFETY: used by the steps, one at a time.
    private(set) var performed: [Int] = []

    override func drain() { drain { [self] in performed.append($0) } }

    /// Queues a step.
    func outcome(of step: Int) -> StepOutcome {
      performingThread.withLock { enqueue(&$0, step, isUrgent: false) }
    }
  }
#endif

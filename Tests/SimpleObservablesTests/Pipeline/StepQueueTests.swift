#if DEBUG
  import Dispatch
  import SimpleEvents
  @testable import SimpleObservables
  import TestSupport
  import Testing

  struct StepQueueTests {
    @Test("V3: a thread yields after queueing a step if 1,024 or a multiple of 1,024 steps are queued")
    func yields() {
      let queue = RecordingSteps()
      queue.submit(0) {
        let yields = (1...3000).filter { queue.outcome(of: $0) == .yields }
        #expect(yields == [1024, 2048])
      }
      #expect(queue.performed == Array(1...3000))
    }

    @Test("V3: a thread that sends faster than another delivers sleeps when 16,384 steps are queued")
    func sleeps() {
      let queue = RecordingSteps()
      queue.submit(0) {
        #expect(queue.sleeps(through: 20_000).isEmpty)
      }
      queue.submit(0) {
        onThreads(1) { _ in
          #expect(queue.sleeps(through: 20_000) == [16_384, 17_408, 18_432, 19_456])
        }
      }
    }

    @Test("V3: a thread that has left its steps to a global queue sleeps as other threads do")
    func sleepsAfterHandover() {
      let queue = RecordingSteps()
      let isPerforming = DispatchSemaphore(value: 0)
      let mayContinue = DispatchSemaphore(value: 0)
      queue.willPerform = {
        guard $0 == foreignStepLimit + 1 else { return }
        isPerforming.signal()
        _ = mayContinue.waitOrGiveUp()
        mayContinue.signal()  // A later step has the same number.
      }
      queue.submit(0) {
        onThreads(1) { _ in _ = queue.sleeps(through: foreignStepLimit + 1) }
      }
      #expect(isPerforming.waitOrGiveUp())
      #expect(queue.sleeps(through: 20_000) == [16_384, 17_408, 18_432, 19_456])
      mayContinue.signal()
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

  /// A queue that records each queued step when it performs the step.
  private final class RecordingSteps: StepQueue<Int>, @unchecked Sendable {
    // SAFETY: the steps use the variable one at a time.
    private(set) var performed: [Int] = []
    var willPerform: (Int) -> Void = { _ in }

    override func drain() {
      drain { [self] in
        willPerform($0)
        performed.append($0)
      }
    }

    /// Queues the steps 1 to `last`; returns the steps after which the caller would sleep.
    func sleeps(through last: Int) -> [Int] { (1...last).filter { outcome(of: $0) == .sleeps } }

    /// Queues a step; returns the outcome.
    func outcome(of step: Int) -> StepOutcome {
      performingThread.withLock { enqueue(&$0, step, isUrgent: false) }
    }
  }
#endif

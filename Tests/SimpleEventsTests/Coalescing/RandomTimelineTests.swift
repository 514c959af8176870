import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C1 to C8: compares the engine with the naive model on thousands of random timelines.
struct RandomTimelineTests {
  /// Each seed determines one policy and one timeline, so that a failure is repeatable.
  @Test("C1 to C8: the engine delivers when the naive model does", arguments: NaiveModel.Shape.allCases)
  func agreesWithNaiveModel(_ shape: NaiveModel.Shape) {
    for seed in Stress.seeds(1500) {
      var random = SeededGenerator(seed: seed)
      let policy = NaiveModel.Policy(random: shape, &random)
      let inputs = randomInputs(&random)
      let end = 200
      let expected = NaiveModel(policy: policy).deliveries(inputs, until: end)
      let actual = deliveries(policy, inputs, until: end)
      #expect(
        actual == expected,
        """
        seed \(seed), \(policy)
        inputs   \(inputs.map { "\($0.tick) \($0.input)" })
        \(Timeline(milliseconds: ["expected": expected, "actual": actual]))
        """)
      guard actual == expected else { return }
    }
  }

  private func randomInputs(_ random: inout SeededGenerator) -> [(tick: Int, input: NaiveModel.Input)] {
    let density = Int.random(in: 1...10, using: &random)
    var tick = 0
    return (0..<Int.random(in: 1...40, using: &random)).compactMap { _ in
      tick += Int.random(in: 0...density, using: &random)
      guard tick < 160 else { return nil }
      switch Int.random(in: 0..<20, using: &random) {
      case 0: return (tick, .cancel)
      case 1: return (tick, .flush)
      default: return (tick, .signal)
      }
    }
  }

  private func deliveries(
    _ policy: NaiveModel.Policy, _ inputs: [(tick: Int, input: NaiveModel.Input)], until end: Int
  ) -> [Int] {
    let scheduler = TestScheduler()
    let recorder = EventRecorder(on: scheduler)
    let callback = CoalescingCallback(on: scheduler, policy: CoalescingPolicy(policy)) {
      recorder.record()
    }
    for (tick, input) in inputs {
      scheduler.at(tick) {
        switch input {
        case .signal: callback.schedule()
        case .cancel: callback.cancel()
        case .flush: callback.flush()
        }
      }
    }
    scheduler.advance(toMilliseconds: end)
    withExtendedLifetime(callback) {}
    return recorder.milliseconds
  }
}

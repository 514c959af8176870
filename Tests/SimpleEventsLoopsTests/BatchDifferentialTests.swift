import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L9: compares the batch loop with a naive model on thousands of random programs.
struct BatchDifferentialTests {
  private struct Program {
    var loop: NaiveBatchLoop
    var additions: [(tick: Int, key: Int)]

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var policy = NaiveModel.Policy(
        random:
          NaiveModel.Shape.allCases.randomElement(using: &random)!, &random)
      // A leading-only policy drops elements depending on its window, and the model has no window.
      policy.trailing = true
      let longest = Int.random(in: 1...30, using: &random)
      let runs = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        RefreshScript.Run(
          microseconds: Int.random(in: 0...longest, using: &random) * 1000 + 1,
          fails: Int.random(in: 0..<3, using: &random) == 0)
      }
      let last = RefreshScript.Run(microseconds: 1)
      loop = NaiveBatchLoop(
        policy: policy, rule: NaiveBatchLoop.Rule.allCases.randomElement(using: &random)!,
        limit: Int.random(in: 1...6, using: &random),
        retry: Bool.random(using: &random) ? Int.random(in: 0...20, using: &random) : nil,
        runs: runs + [last])
      let density = Int.random(in: 1...12, using: &random)
      var tick = 0
      additions = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        tick += Int.random(in: 0...density, using: &random)
        return (tick, Int.random(in: 0..<8, using: &random))
      }
    }
  }

  private static let end: Int = 600

  @Test("C9, L9: a loop makes the batches of the naive model, and drops the same elements")
  func agreesWithModel() {
    for seed in Stress.seeds(10_000) {
      let program = Program(seed: seed)
      guard actual(program) == expected(program) else { return report(seed, program) }
    }
  }

  private func expected(_ program: Program) -> [String] {
    program.loop.entries(program.additions, until: Self.end)
  }

  private func actual(_ program: Program) -> [String] {
    let scheduler = TestScheduler()
    let script = RefreshScript(scheduler, program.loop.runs)
    let limit: ElementLimit<CollectorElement> =
      switch program.loop.rule {
      case .newest: .newest(program.loop.limit)
      case .oldest: .oldest(program.loop.limit)
      case .distinct: .distinct(program.loop.limit, by: \.key)
      case .unlimited: .unlimited
      }
    let dropped = Guarded<[Int]>([])
    let loop = BatchLoop(
      on: scheduler, policy: CoalescingPolicy(program.loop.policy), keeping: limit,
      onDrop: { element in dropped.withLock { $0.append(element.serial) } },
      retry: program.loop.retry.map { .constant(.milliseconds($0)) } ?? .never
    ) { batch in
      try await script.body("\(Array(batch))-\(batch.droppedCount)")
    } onError: { _, _ in
    }
    for (serial, (tick, key)) in program.additions.enumerated() {
      scheduler.at(tick) { loop.add(CollectorElement(key: key, serial: serial)) }
    }
    scheduler.run()
    #expect(script.overlaps == 0 && !loop.isPending)
    return script.entries + ["dropped \(dropped.withLock { $0.sorted() })"]
  }

  /// Records the shortest prefix of a program on which the loop and the model differ.
  private func report(_ seed: UInt64, _ program: Program) {
    for length in 1...program.additions.count {
      var prefix = program
      prefix.additions = Array(program.additions.prefix(length))
      let (expected, actual) = (expected(prefix), actual(prefix))
      if actual != expected {
        Issue.record(
          """
          seed \(seed), \(prefix.loop)
          additions \(prefix.additions)
          model    \(expected.joined(separator: ", "))
          loop     \(actual.joined(separator: ", "))
          """)
        return
      }
    }
  }
}

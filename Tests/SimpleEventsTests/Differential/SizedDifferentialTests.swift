import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Compares a collector that has a batch size with the naive model, on thousands of random programs.
struct SizedDifferentialTests {
  private static let end: Int = 300

  @Test("C7, C9, C12: a collector that has a batch size agrees with the naive model on random programs")
  func agreesWithModel() {
    for seed in Stress.seeds(20_000) {
      let program = SizedProgram(seed: seed)
      guard run(program) == NaiveSizedCollector.run(program, until: Self.end) else {
        return report(seed, program)
      }
    }
  }

  private func run(_ program: SizedProgram) -> [String] {
    let log = Log()
    let scheduler = TestScheduler()
    let limit: ElementLimit<CollectorElement> =
      switch program.rule {
      case .newest: .newest(program.limit)
      case .oldest: .oldest(program.limit)
      case .distinct: .distinct(program.limit, by: \.key)
      }
    let callbacks = Guarded(program.callbacks[...])
    let serial = Guarded(0)
    let itself = Guarded<CoalescingCollector<CollectorElement>?>(nil)

    @Sendable func element(_ key: Int) -> CollectorElement {
      serial.withLock {
        $0 += 1
        return CollectorElement(key: key, serial: $0)
      }
    }

    @Sendable func take(_ step: SizedProgram.Step) {
      guard let collector = itself.withLock({ $0 }) else { return }
      switch step {
      case .add(let key): collector.add(element(key))
      case .addContents(let keys): collector.add(contentsOf: keys.map(element))
      case .cancel: collector.cancel()
      case .flush: collector.flush()
      }
    }

    let collector = CoalescingCollector(
      on: scheduler, policy: CoalescingPolicy(program.policy), keeping: limit, batchSize: program.size,
      onDrop: { log.add("drop \($0)") }
    ) { batch in
      log.add("batch \(Array(batch)) at \(scheduler.milliseconds), \(batch.droppedCount) dropped")
      callbacks.withLock { $0.popFirst() }?.forEach(take)
    }
    _ = itself.exchange(collector)
    for (tick, step) in program.steps { scheduler.at(tick) { take(step) } }
    scheduler.run()
    _ = itself.exchange(nil)
    return log.entries
  }

  /// Records the shortest prefix of a program on which the collector and the model differ.
  private func report(_ seed: UInt64, _ program: SizedProgram) {
    for length in 1...program.steps.count {
      var prefix = program
      prefix.steps = Array(program.steps.prefix(length))
      let (expected, actual) = (NaiveSizedCollector.run(prefix, until: Self.end), run(prefix))
      if actual != expected {
        Issue.record(
          """
          seed \(seed), \(prefix.policy), \(prefix.rule) \(prefix.limit), size \(prefix.size)
          \(prefix.steps)
          callbacks \(prefix.callbacks)
          model     \(expected.joined(separator: ", "))
          collector \(actual.joined(separator: ", "))
          """)
        return
      }
    }
  }
}

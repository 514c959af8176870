import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Compares the collector with the naive model on thousands of random programs.
struct CollectorDifferentialTests {
  @Test("C5, C7, C9: a collector agrees with the naive model on random programs")
  func agreesWithModel() {
    for seed in Stress.seeds(10_000) {
      let program = CollectorProgram(seed: seed)
      guard run(program) == NaiveCollector.run(program) else {
        return report(seed, program)
      }
    }
  }

  /// Runs a program on a collector, and returns the batches.
  private func run(_ program: CollectorProgram) -> [String] {
    let log = Log()
    let scheduler = TestScheduler()
    let limit: ElementLimit<CollectorElement> =
      switch program.rule {
      case .newest: .newest(program.limit)
      case .oldest: .oldest(program.limit)
      case .distinct: .distinct(program.limit, by: \.key)
      }
    let policy: CoalescingPolicy =
      program.window.map { .throttle(.milliseconds($0), edges: .leading) } ?? .nextTurn
    var callbacks = program.callbacks[...]
    var serial = 0
    weak var weakCollector: CoalescingCollector<CollectorElement>?

    func element(_ key: Int) -> CollectorElement {
      serial += 1
      return CollectorElement(key: key, serial: serial)
    }

    func take(_ step: CollectorStep) {
      guard let collector = weakCollector else { return }
      switch step {
      case .add(let key): collector.add(element(key))
      case .addContents(let keys): collector.add(contentsOf: keys.map(element))
      case .cancel: collector.cancel()
      case .flush: collector.flush()
      case .advance(let milliseconds): scheduler.advance(by: .milliseconds(milliseconds))
      }
      log.add("pending \(collector.isPending)")
    }

    let onDrop: @Sendable (CollectorElement) -> Void = { log.add("drop \($0)") }
    let collector = CoalescingCollector(
      on: scheduler, policy: policy, keeping: limit, onDrop: program.reportsDrops ? onDrop : nil
    ) { batch in
      log.add("batch \(Array(batch)) at \(scheduler.milliseconds), \(batch.droppedCount) dropped")
      callbacks.popFirst()?.forEach(take)
    }
    weakCollector = collector
    program.steps.forEach(take)
    take(.advance(0))
    withExtendedLifetime(collector) {}
    return log.entries
  }

  /// Records the shortest prefix of a program on which the collector and the model differ.
  private func report(_ seed: UInt64, _ program: CollectorProgram) {
    for length in 1...program.steps.count {
      var prefix = program
      prefix.steps = Array(program.steps.prefix(length))
      let (expected, actual) = (NaiveCollector.run(prefix), run(prefix))
      if actual != expected {
        Issue.record(
          """
          seed \(seed), \(length) steps, \(program.rule) \(program.limit), window \(program.window ?? 0):
          \(prefix.steps)
          callbacks:
          \(prefix.callbacks)
          model     \(expected.joined(separator: ", "))
          collector \(actual.joined(separator: ", "))
          """)
        return
      }
    }
  }
}

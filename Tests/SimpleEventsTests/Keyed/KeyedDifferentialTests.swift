import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Compares an object that has many keys with one object for each key, on random programs.
struct KeyedDifferentialTests {
  @Test(
    "K1: a keyed callback agrees with a callback for each key on random programs",
    arguments: [(UInt64(20_000), false), (2000, true)])
  func callback(_ seeds: UInt64, _ isEarly: Bool) {
    compare(seeds, isEarly: isEarly) { world, program in
      let callback = KeyedCallback<Int>(on: world.deliveries, policy: program.policy) { world.called($0, "") }
      world.run(
        signal: { callback.schedule($0) }, cancel: { callback.cancel($0) }, flush: { callback.flush($0) },
        isPending: { callback.isPending($0) }, cancelAll: { callback.cancelAll() },
        pendingCount: { callback.pendingCount })
    } separately: { world, program in
      let callbacks = (0..<program.keyCount).map { key in
        CoalescingCallback(on: world.deliveries, policy: program.policy) { world.called(key, "") }
      }
      world.run(
        signal: { callbacks[$0].schedule() }, cancel: { callbacks[$0].cancel() },
        flush: { callbacks[$0].flush() }, isPending: { callbacks[$0].isPending },
        cancelAll: { callbacks.forEach { $0.cancel() } },
        pendingCount: { callbacks.count { $0.isPending } })
    }
  }

  @Test("K1, C9, C12: a keyed collector agrees with a collector for each key on random programs")
  func collector() {
    // A batch of a keyed collector does not count the elements that the policy has ignored.
    func text(_ batch: ElementBatch<CollectorElement>, _ program: KeyedProgram) -> String {
      "\(Array(batch))" + (program.policy.edges == .leading ? "" : ", \(batch.droppedCount) dropped")
    }
    compare(20_000) { world, program in
      let collector = KeyedCollector<Int, CollectorElement>(
        on: world.deliveries, policy: program.policy, keeping: program.limit, batchSize: program.batchSize,
        onDrop: { key, element in world.drop(element, for: key) }, misuse: .report { _ in }
      ) { world.called($0, text($1, program)) }
      world.run(
        signal: { collector.add(world.element(for: $0), for: $0) }, cancel: { collector.cancel($0) },
        flush: { collector.flush($0) }, isPending: { collector.isPending($0) },
        count: { collector.count(for: $0) }, cancelAll: { collector.cancelAll() },
        pendingCount: { collector.pendingCount })
    } separately: { world, program in
      let collectors = (0..<program.keyCount).map { key in
        CoalescingCollector<CollectorElement>(
          on: world.deliveries, policy: program.policy, keeping: program.limit, batchSize: program.batchSize,
          onDrop: { world.drop($0, for: key) }, misuse: .report { _ in }
        ) { world.called(key, text($0, program)) }
      }
      world.run(
        signal: { collectors[$0].add(world.element(for: $0)) }, cancel: { collectors[$0].cancel() },
        flush: { collectors[$0].flush() }, isPending: { collectors[$0].isPending },
        count: { collectors[$0].count }, cancelAll: { collectors.forEach { $0.cancel() } },
        pendingCount: { collectors.count { $0.isPending } })
    }
  }

  private typealias Run = (KeyedWorld, KeyedProgram) -> Void

  /// Compares the logs of random programs, and records the shortest prefix of a program on which they differ.
  private func compare(
    _ seeds: UInt64, isEarly: Bool = false, _ together: Run, separately: Run
  ) {
    func logs(_ program: KeyedProgram, _ run: Run) -> [[String]] {
      let world = KeyedWorld(program)
      run(world, program)
      return world.logs.value
    }
    for seed in Stress.seeds(seeds) {
      let program = KeyedProgram(seed: seed, isEarly: isEarly)
      guard logs(program, together) != logs(program, separately) else { continue }
      for length in 1...program.steps.count {
        var prefix = program
        prefix.steps = Array(program.steps.prefix(length))
        let (expected, actual) = (logs(prefix, separately), logs(prefix, together))
        guard actual != expected else { continue }
        Issue.record(
          """
          seed \(seed), \(length) steps, \(program.policy), \(program.rule), batches of \(program.batchSize):
          \(prefix.steps)
          callbacks:
          \(prefix.callbacks)
          one for each key
          \(expected.map { $0.joined(separator: ", ") }.joined(separator: "\n"))
          one for all keys
          \(actual.map { $0.joined(separator: ", ") }.joined(separator: "\n"))
          """)
        return
      }
    }
  }
}

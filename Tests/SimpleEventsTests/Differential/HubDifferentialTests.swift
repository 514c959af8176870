import SimpleEvents
import TestSupport
import Testing

/// Compares the hub with the naive model on thousands of random programs that use and misuse the hub.
struct HubDifferentialTests {
  @Test("H1–H4, H6, H7: a hub agrees with the naive model on random programs", arguments: 0..<8)
  func agreesWithModel(_ block: UInt64) {
    for seed in Stress.seeds(2000).map({ $0 + block * 2000 }) {
      let steps = HubProgram(seed: seed).steps
      guard difference(steps) == nil else {
        return report(seed, steps)
      }
    }
  }

  /// Describes the difference between the two lists; nil if there is none.
  private func difference(_ steps: [HubStep]) -> String? {
    let model = HubWorld<NaiveHub>.run(steps)
    let hub = HubWorld<ObserverHub<any Watching>>.run(steps)
    if hub.trace != model.trace {
      return """
        model \(model.trace.joined(separator: ", "))
        hub   \(hub.trace.joined(separator: ", "))
        """
    }
    // If a new observer has the address of a deallocated one, the hub may flag the deallocated observer
    // before a cycle does, and even if no cycle follows. No observer is flagged twice.
    let allowed = model.neverRemoved...max(model.neverRemoved, model.deallocations)
    guard allowed ~= hub.neverRemoved else {
      return "the hub flags \(hub.neverRemoved) deallocated observers, the model allows \(allowed)"
    }
    return nil
  }

  /// Records the shortest prefix of a program on which the lists differ.
  private func report(_ seed: UInt64, _ steps: [HubStep]) {
    for length in 1...steps.count {
      if let difference = difference(Array(steps.prefix(length))) {
        let program = steps.prefix(length).map { "  \($0)" }.joined(separator: "\n")
        Issue.record("seed \(seed), \(length) steps:\n\(program)\n\(difference)")
        return
      }
    }
  }
}

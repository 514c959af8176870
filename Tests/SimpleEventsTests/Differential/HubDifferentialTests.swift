import SimpleEvents
import Testing

/// The hub against the naive model, on thousands of random programs that use and misuse it.
@Suite struct HubDifferentialTests {
  @Test(arguments: 0..<8)
  func `H1 to H7: agrees with the naive model`(_ block: UInt64) {
    for seed in block * 2000..<(block + 1) * 2000 {
      let steps = HubProgram(seed: seed).steps
      guard difference(steps) == nil else {
        return report(seed, steps)
      }
    }
  }

  /// What the two lists disagree on, nil if nothing.
  private func difference(_ steps: [HubStep]) -> String? {
    let model = HubWorld<NaiveHub>.run(steps)
    let hub = HubWorld<ObserverHub<any Watching>>.run(steps)
    if hub.trace != model.trace {
      return """
        model \(model.trace.joined(separator: ", "))
        hub   \(hub.trace.joined(separator: ", "))
        """
    }
    // Where handles are weak references, a new observer at a dead one's address gives that away before a
    // cycle does, also in a hub that is dropped before it would have come across it. Nobody is ever
    // accused twice.
    guard model.neverRemoved...max(model.neverRemoved, model.deaths) ~= hub.neverRemoved else {
      return
        "the model misses \(model.neverRemoved) to \(model.deaths) observers, the hub \(hub.neverRemoved)"
    }
    return nil
  }

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

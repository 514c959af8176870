import SimpleEvents
import TestSupport
import Testing

/// Compares `SimpleEvent` with the naive model on thousands of random programs.
struct EventDifferentialTests {
  @Test(
    "E1, E2, E3, E5: an event agrees with the naive model on random programs",
    arguments: [SimpleEvent.Reentrancy.flagged, .coalesced])
  func agreesWithModel(_ reentrancy: SimpleEvent.Reentrancy) {
    for seed in Stress.seeds(10_000) {
      let program = EventProgram(seed: seed)
      guard difference(program, reentrancy) == nil else {
        return report(seed, program, reentrancy)
      }
    }
  }

  /// Describes the difference between the two events; nil if there is none.
  private func difference(_ program: EventProgram, _ reentrancy: SimpleEvent.Reentrancy) -> String? {
    let misuses = MisuseLog()
    let model = EventWorld.run(program) { NaiveEvent(coalescesNested: reentrancy == .coalesced) }
    let event = EventWorld.run(program) { SimpleEvent(reentrancy: reentrancy, misuse: misuses.handler) }
    if event != model {
      return "model \(model.joined(separator: ", "))\nevent \(event.joined(separator: ", "))"
    }
    let allowed: Set<Misuse.Kind> = reentrancy == .coalesced ? [] : [.nestedCycle]
    return Set(misuses.kinds).isSubset(of: allowed) ? nil : "reported \(misuses.kinds)"
  }

  /// Records the shortest prefix of a program on which the events differ.
  private func report(_ seed: UInt64, _ program: EventProgram, _ reentrancy: SimpleEvent.Reentrancy) {
    for length in 1...program.steps.count {
      var prefix = program
      prefix.steps = Array(program.steps.prefix(length))
      if let difference = difference(prefix, reentrancy) {
        let steps = prefix.steps.map { "  \($0)" }.joined(separator: "\n")
        let callbacks = prefix.callbacks.map { "  \($0)" }.joined(separator: "\n")
        Issue.record(
          """
          \(reentrancy), seed \(seed), \(length) steps:
          \(steps)
          callbacks:
          \(callbacks)
          \(difference)
          """)
        return
      }
    }
  }
}

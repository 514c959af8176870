import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// Compares operators with naive models on thousands of random programs.
struct OperatorDifferentialTests {
  @Test(
    "V1, V4: an operator agrees with the naive model on random programs",
    arguments: OperatorUnderTest.allCases)
  func agreesWithModel(_ kind: OperatorUnderTest) {
    for seed in Stress.seeds(5_000) {
      let program = ValueProgram(seed: seed)
      guard outputs(kind, program) == kind.model(program) else { return report(kind, seed, program) }
    }
  }

  private func outputs(_ kind: OperatorUnderTest, _ program: ValueProgram) -> [String] {
    let subjects = [PublishSubject<Int>(), PublishSubject<Int>()]
    var outputs: [String] = []
    let token = kind.observable(subjects[0], subjects[1]).subscribe(
      onNext: { outputs.append($0) }, onError: { _ in outputs.append("error") },
      onDone: { outputs.append("done") })
    for step in program.steps {
      switch step.event {
      case .next(let value): subjects[step.source].update(value)
      case .finish: subjects[step.source].finish()
      case .fail: subjects[step.source].fail(Broken())
      }
    }
    token.remove()
    // A subject ends when it is deallocated.
    withExtendedLifetime(subjects) {}
    return outputs
  }

  /// Records the shortest prefix of a program on which the operator and the model differ.
  private func report(_ kind: OperatorUnderTest, _ seed: UInt64, _ program: ValueProgram) {
    for length in 1...program.steps.count {
      var prefix = program
      prefix.steps = Array(program.steps.prefix(length))
      let (real, model) = (outputs(kind, prefix), kind.model(prefix))
      guard real != model else { continue }
      let steps = prefix.steps.map { "  \($0.source) \($0.event)" }.joined(separator: "\n")
      Issue.record("\(kind), seed \(seed):\n\(steps)\nmodel \(model)\nreal  \(real)")
      return
    }
  }
}

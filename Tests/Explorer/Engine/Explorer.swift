internal import CExplorer

/// A small program whose executions are explored. It asserts contracts by number.
package struct Scenario: Sendable {
  package let name: String
  /// The numbers of the contracts that the scenario asserts.
  package let contracts: String
  package let body: @Sendable () -> Void

  package init(_ name: String, _ contracts: String, _ body: @escaping @Sendable () -> Void) {
    self.name = name
    self.contracts = contracts
    self.body = body
  }
}

/// The outcome of the exploration of a scenario.
package struct Report {
  package var executions: Int = 0
  /// The largest bound of preemptions for which all executions were run.
  package var bound: Int = -1
  /// The number of executions with random choices.
  package var samples: Int = 0
  /// The contract that was violated, and the choices that lead to the violation.
  package var violation: (message: String, choices: String)?
}

/// Runs the executions of scenarios.
package struct Explorer {
  private static let largestBound: Int = 3

  package init() {
    crash_install()
  }

  /// Explores a scenario with a growing bound of preemptions, until a contract is violated or a number of
  /// executions was run.
  ///
  /// If the number does not suffice for a bound, half of the remaining executions are the first executions of
  /// that bound, in order. The other half is a random sample of all executions.
  package func explore(_ scenario: Scenario, budget: Int) -> Report {
    crash_set_scenario(scenario.name)
    var report = Report()
    for bound in 0...Self.largestBound {
      engine.bound.preemptions = bound
      engine.choices.restart(.systematic)
      let limit = report.executions + (budget - report.executions) / 2
      while report.executions < limit {
        guard run(scenario, &report) else { return report }
        if !engine.choices.advance() {
          report.bound = bound
          break
        }
      }
      guard report.bound == bound else { break }
    }
    if report.bound < Self.largestBound {
      sample(scenario, budget: budget, &report)
    }
    return report
  }

  /// Runs one execution by given choices, and writes its steps.
  package func replay(_ scenario: Scenario, _ choices: Choices.Mode) -> Report {
    crash_set_scenario(scenario.name)
    var report = Report()
    engine.isTracing = true
    engine.choices.restart(choices)
    _ = run(scenario, &report)
    engine.isTracing = false
    return report
  }

  private func sample(_ scenario: Scenario, budget: Int, _ report: inout Report) {
    engine.bound.preemptions = Self.largestBound
    let rarity = max(2, engine.choices.number / Self.largestBound)
    engine.choices.restart(.random(SeededGenerator(seed: 1), rarity: UInt64(rarity)))
    while report.executions < budget {
      report.samples += 1
      guard run(scenario, &report) else { return }
      _ = engine.choices.advance()
    }
  }

  /// Runs one execution; returns false after a violation.
  private func run(_ scenario: Scenario, _ report: inout Report) -> Bool {
    report.executions += 1
    crash_begin()
    let isKept = engine.run(scenario.body)
    if engine.choices.hasDiverged {
      report.violation = ("the scenario is not deterministic", engine.choices.description)
    } else if !isKept {
      report.violation = (engine.failure ?? "", engine.choices.description)
    }
    return report.violation == nil
  }
}

/// Ends the process.
package func exitProcess(_ status: Int32) -> Never {
  crash_exit(status)
}

internal import ExplorerEngine

/// The command. It explores the scenarios, or replays one execution.
@main
enum Main {
  private static let explorer: Explorer = Explorer()

  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    func option(_ name: String) -> String? {
      guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
      defer { arguments.removeSubrange(place...place + 1) }
      return arguments[place + 1]
    }
    let budget = option("--executions").flatMap { Int($0) } ?? 12_000_000
    let name = option("--scenario")
    let choices = option("--replay")
    let skipped = Set(option("--skip")?.split(separator: ",").map { String($0) } ?? [])
    let chosen = allScenarios.filter { $0.name.hasPrefix(name ?? "") && !skipped.contains($0.name) }
    guard !chosen.isEmpty else { stop("there is no scenario of this name; --list shows them") }
    if arguments == ["--list"] {
      for scenario in chosen {
        print("\(scenario.name)\t\(scenario.contracts)")
      }
    } else if arguments == ["--first"] {
      explore(chosen, budget: budget, stopsAtFirst: true)
    } else if !arguments.isEmpty {
      stop("unknown argument \(arguments[0])")
    } else if let choices {
      guard let mode = Choices.parse(choices) else { stop("choices look like 12:1,40:2") }
      replay(chosen[0], mode)
    } else {
      explore(chosen, budget: budget)
    }
  }

  private static func replay(_ scenario: Scenario, _ choices: Choices.Mode) {
    print("step, choice, thread and operation of \(scenario.name):")
    let report = explorer.replay(scenario, choices)
    guard let violation = report.violation else { return print("no violation") }
    stop("FAILED \(scenario.name): \(violation.message)")
  }

  private static func explore(_ scenarios: [Scenario], budget: Int, stopsAtFirst: Bool = false) {
    let clock = ContinuousClock()
    let start = clock.now
    var executions = 0
    var failures = 0
    for (place, scenario) in scenarios.enumerated() {
      // The executions that a small scenario does not need are given to the following scenarios.
      let share = (budget - executions) / (scenarios.count - place)
      let begin = clock.now
      let report = explorer.explore(scenario, budget: share)
      executions += report.executions
      print(line(scenario, report, clock.now - begin))
      if let violation = report.violation {
        failures += 1
        print("FAILED \(scenario.name): \(violation.message)")
        print("  --scenario \(scenario.name) --replay \(violation.choices)")
        if stopsAtFirst { stop("found after \(report.executions) executions of it, \(executions) in all") }
      }
    }
    let elapsed = clock.now - start
    print("\(executions) executions of \(scenarios.count) scenarios, \(rate(executions, elapsed)) a second")
    guard failures == 0 else { stop("\(failures) of \(scenarios.count) scenarios violate their contract") }
    print("no violation")
  }

  private static func line(_ scenario: Scenario, _ report: Report, _ elapsed: Duration) -> String {
    let bound = report.bound < 0 ? "no bound complete" : "all of up to \(report.bound) preemptions"
    let samples = report.samples > 0 ? ", \(report.samples) sampled" : ""
    return "\(scenario.name) (\(scenario.contracts)): \(report.executions) executions, \(bound)\(samples), "
      + "\(rate(report.executions, elapsed)) a second"
  }

  private static func rate(_ executions: Int, _ elapsed: Duration) -> Int {
    Int(Double(executions) / max(elapsed / .seconds(1), 1e-6))
  }

  private static func stop(_ message: String) -> Never {
    print(message)
    exitProcess(1)
  }
}

import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L1 to L4: compares the loop with a naive model on thousands of random programs.
struct RefreshDifferentialTests {
  private struct Program {
    var loop: NaiveLoop
    var requests: [Int]

    init(seed: UInt64, _ whenBusy: RefreshLoop.WhenBusy) {
      var random = SeededGenerator(seed: seed)
      let shape = NaiveModel.Shape.allCases.randomElement(using: &random)!
      let policy = NaiveModel.Policy(random: shape, &random)
      let longest = Int.random(in: 1...30, using: &random)
      let runs = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        RefreshScript.Run(
          microseconds: Int.random(in: 0...longest, using: &random) * 1000 + 1,
          heedsCancellation: Int.random(in: 0..<3, using: &random) > 0,
          fails: Int.random(in: 0..<5, using: &random) == 0)
      }
      loop = NaiveLoop(policy: policy, whenBusy: whenBusy, runs: runs)
      let density = Int.random(in: 1...12, using: &random)
      var tick = 0
      requests = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        tick += Int.random(in: 0...density, using: &random)
        return tick
      }
    }
  }

  private static let end: Int = 600

  @Test("L1 to L4: a loop runs at the same times as the naive model", arguments: RefreshLoop.WhenBusy.modes)
  func agreesWithModel(_ whenBusy: RefreshLoop.WhenBusy) {
    for seed in Stress.seeds(1000) {
      let program = Program(seed: seed, whenBusy)
      guard actual(program) == expected(program) else { return report(seed, program) }
    }
  }

  private func expected(_ program: Program) -> [String] {
    program.loop.entries(requests: program.requests, until: Self.end)
  }

  private func actual(_ program: Program) -> [String] {
    let scheduler = TestScheduler()
    let script = RefreshScript(scheduler, program.loop.runs)
    let loop = RefreshLoop(
      on: scheduler, policy: CoalescingPolicy(program.loop.policy), whenBusy: program.loop.whenBusy
    ) {
      try await script.body()
    } onError: { error in
      script.add("\(error)")
    }
    for instant in program.requests { scheduler.at(instant) { loop.request() } }
    scheduler.run()
    #expect(script.overlaps == 0)
    return script.entries
  }

  @Test(
    "L10: each request has the answer of the naive model, once, at the end of its run",
    arguments: [RefreshLoop.WhenBusy.rerun, .restart])
  func answersAgreeWithModel(_ whenBusy: RefreshLoop.WhenBusy) {
    for seed in Stress.seeds(2000) {
      var program = Program(seed: seed, whenBusy)
      // With a leading-only policy, an earlier run answers the requests that the policy ignores.
      program.loop.policy.trailing = true
      let (expected, actual) = (expectedAnswers(program), actualAnswers(program))
      guard actual == expected else {
        Issue.record(
          """
          seed \(seed), \(program.loop), requests \(program.requests)
          runs     \(self.expected(program).joined(separator: ", "))
          model    \(expected.joined(separator: ", "))
          loop     \(actual.joined(separator: ", "))
          """)
        return
      }
    }
  }

  /// Returns the answer of each request: the answer of the first run that begins after the request and is not
  /// replaced.
  private func expectedAnswers(_ program: Program) -> [String] {
    var runs: [(start: Int, outcome: Substring, end: Int)] = []
    for entry in expected(program) {
      let words = entry.split(separator: " ")
      let parts = words[1].split(separator: "+").map { Int($0)! }
      let instant = parts[0] * 1000 + (parts.count > 1 ? parts[1] : 0)
      switch words[0] {
      case "start": runs.append((instant, "", instant))
      case "end", "fail", "cancelled":
        (runs[runs.count - 1].outcome, runs[runs.count - 1].end) = (words[0], instant)
      default: break
      }
    }
    return program.requests.enumerated().map { number, tick in
      var place = runs.firstIndex { $0.start >= tick * 1000 }!
      while program.loop.whenBusy == .restart && runs[place].outcome != "end" && place + 1 < runs.count
        && runs[place + 1].start == runs[place].end
      {
        place += 1
      }
      return "\(number) \(runs[place].outcome) \(RefreshScript.format(runs[place].end))"
    }
  }

  private func actualAnswers(_ program: Program) -> [String] {
    let scheduler = TestScheduler()
    let script = RefreshScript(scheduler, program.loop.runs)
    let answers = RefreshScript(scheduler, [])
    let loop = RefreshLoop(
      on: scheduler, policy: CoalescingPolicy(program.loop.policy), whenBusy: program.loop.whenBusy
    ) {
      try await script.body()
    } onError: { _ in
    }
    for (number, instant) in program.requests.enumerated() {
      scheduler.at(instant) {
        // The request comes before the other work of its instant.
        Task.immediate(executorPreference: scheduler) {
          do {
            try await loop.refresh()
            answers.add("\(number) end")
          } catch {
            answers.add("\(number) fail")
          }
        }
      }
    }
    scheduler.run()
    return answers.entries.sorted { Int($0.prefix { $0 != " " })! < Int($1.prefix { $0 != " " })! }
  }

  /// Records the shortest prefix of a program on which the loop and the model differ.
  private func report(_ seed: UInt64, _ program: Program) {
    for length in 1...program.requests.count {
      var prefix = program
      prefix.requests = Array(program.requests.prefix(length))
      let (expected, actual) = (expected(prefix), actual(prefix))
      if actual != expected {
        Issue.record(
          """
          seed \(seed), \(prefix.loop)
          requests \(prefix.requests)
          model    \(expected.joined(separator: ", "))
          loop     \(actual.joined(separator: ", "))
          """)
        return
      }
    }
  }
}

import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// K1, K4: compares a keyed loop with a loop for each key, and with a naive work queue, on random programs.
struct KeyedLoopDifferentialTests {
  private enum Operation: CaseIterable {
    case request, refresh, flush, cancel, cancelRun, flushAll, cancelAll

    var isForAllKeys: Bool { self == .flushAll || self == .cancelAll }
  }

  private struct Program {
    static let keys: [String] = ["a", "b", "c", "d"]

    var policy: CoalescingPolicy
    var whenBusy: RefreshLoop.WhenBusy
    var retry: Duration?
    var isHosted: Bool
    var runs: [String: [RefreshScript.Run]] = [:]
    var steps: [(instant: Int, key: String, operation: Operation)] = []

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      policy = Policies.all.randomElement(using: &random)!
      whenBusy = RefreshLoop.WhenBusy.modes.randomElement(using: &random)!
      retry = Bool.random(using: &random) ? .milliseconds(Int.random(in: 0...30, using: &random)) : nil
      isHosted = Bool.random(using: &random)
      let longest = Int.random(in: 1...30, using: &random)
      for key in Self.keys {
        runs[key] = (0..<Int.random(in: 1...5, using: &random)).map { _ in
          // The durations are chosen so that no run ends at the instant of a step.
          RefreshScript.Run(
            microseconds: Int.random(in: 0...longest, using: &random) * 1000 + 1,
            heedsCancellation: Int.random(in: 0..<3, using: &random) > 0,
            fails: Int.random(in: 0..<3, using: &random) == 0)
        }
        runs[key]?.append(.init(microseconds: 1001))
      }
      let density = Int.random(in: 1...12, using: &random)
      var tick = 0
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        tick += Int.random(in: 0...density, using: &random)
        let operation = Operation.allCases.randomElement(using: &random)!
        let isRequest = Int.random(in: 0..<3, using: &random) > 0
        let key = Self.keys.randomElement(using: &random)!
        // After a flush, a separate loop lets requests join the flushed run until it begins, whereas a key
        // opens a window. After a cancellation, the turn that all keys share may come before the end of the
        // run.
        let isFlushed = steps.contains {
          $0.instant == tick
            && ($0.operation == .flushAll || $0.key == key && [.flush, .cancelRun].contains($0.operation))
        }
        if !isFlushed { steps.append((tick, key, isRequest ? .request : operation)) }
      }
    }

    func steps(of key: String) -> [String] {
      steps.filter { $0.key == key || $0.operation.isForAllKeys }.map { "\($0.instant) \($0.operation)" }
    }

    var backoff: Backoff { retry.map { .constant($0) } ?? .never }
  }

  /// Calls the operations of a program, and logs the answers.
  private func schedule(
    _ program: Program, on scheduler: TestScheduler, for keys: [String],
    _ script: @escaping @Sendable (String) -> RefreshScript,
    _ call: @escaping @Sendable (String, Operation) -> Void,
    refresh: @escaping @Sendable (String) async throws -> Void
  ) {
    for (number, step) in program.steps.enumerated()
    where step.operation.isForAllKeys || keys.contains(step.key) {
      // The delay is chosen so that no task of a caller begins at the instant of a step, or of the start of a
      // run.
      let delay = Duration.microseconds(step.operation == .refresh ? 500 : 0)
      scheduler.schedule(at: .ms(step.instant).advanced(by: delay)) {
        guard step.operation == .refresh else { return call(step.key, step.operation) }
        Task(executorPreference: scheduler) {
          do {
            try await refresh(step.key)
            script(step.key).add("answer \(number)")
          } catch {
            script(step.key).add("answer \(number) \(error)")
          }
        }
      }
    }
  }

  private func actual(_ program: Program) -> [String: [String]] {
    let scheduler = TestScheduler()
    let script = KeyedScript(scheduler, program.runs)
    let body: KeyedRefreshLoop<String>.Body = { try await script.body($0) }
    let onError: KeyedRefreshLoop<String>.ErrorHandler = { script.script($0).add("\($1)") }
    let loop: KeyedRefreshLoop<String>
    if program.isHosted {
      loop = KeyedRefreshLoop(
        on: scheduler, policy: program.policy, whenBusy: program.whenBusy, retry: program.backoff)
      Task(executorPreference: scheduler) { [loop] in
        await loop.run(maxConcurrentRuns: .max, body, onError: onError)
      }
    } else {
      loop = KeyedRefreshLoop(
        on: scheduler, policy: program.policy, whenBusy: program.whenBusy, retry: program.backoff,
        maxConcurrentRuns: .max, body: body, onError: onError)
    }
    schedule(program, on: scheduler, for: Program.keys) { [script] in
      script.script($0)
    } _: { [loop] key, operation in
      switch operation {
      case .request, .refresh: loop.request(key)
      case .flush: loop.flush(key)
      case .cancel: loop.cancel(key)
      case .cancelRun: loop.cancelRun(key)
      case .flushAll: loop.flushAll()
      case .cancelAll: loop.cancelAll()
      }
    } refresh: { [loop] in
      try await loop.refresh($0)
    }
    scheduler.run()
    #expect(loop.pendingCount == 0 && loop.runningCount == 0 && loop.entryCount == 0)
    #expect(script.overlaps == 0)
    loop.close()
    scheduler.run()
    return Dictionary(uniqueKeysWithValues: Program.keys.map { ($0, sorted(script.script($0).entries)) })
  }

  /// Returns the runs in order, followed by the answers. The contract does not say whether a task is resumed
  /// before the next run starts at the same instant.
  private func sorted(_ entries: [String]) -> [String] {
    let answers = entries.filter { $0.hasPrefix("answer") }
    return entries.filter { !$0.hasPrefix("answer") } + answers.sorted()
  }

  /// Returns the record of a loop for each key.
  private func expected(_ program: Program) -> [String: [String]] {
    var entries: [String: [String]] = [:]
    for key in Program.keys {
      let scheduler = TestScheduler()
      let script = RefreshScript(scheduler, program.runs[key]!)
      let loop = RefreshLoop(
        on: scheduler, policy: program.policy, whenBusy: program.whenBusy, retry: program.backoff
      ) {
        try await script.body()
      } onError: { error in
        script.add("\(error)")
      }
      schedule(program, on: scheduler, for: [key]) { _ in
        script
      } _: { _, operation in
        switch operation {
        case .request, .refresh: loop.request()
        case .flush, .flushAll: loop.flush()
        case .cancel, .cancelAll: loop.cancel()
        case .cancelRun: loop.cancelRun()
        }
      } refresh: { _ in
        try await loop.refresh()
      }
      scheduler.run()
      entries[key] = sorted(script.entries)
    }
    return entries
  }

  @Test("K1, K4: each key runs and answers as a separate loop does, if the number of runs has no limit")
  func loopForEachKey() {
    for seed in Stress.seeds(10_000) {
      var program = Program(seed: seed)
      guard actual(program) != expected(program) else { continue }
      // Finds the shortest prefix on which the records differ.
      let steps = program.steps
      for length in 1...steps.count {
        program.steps = Array(steps.prefix(length))
        let (actual, expected) = (actual(program), expected(program))
        guard actual != expected else { continue }
        for key in Program.keys where actual[key] != expected[key] {
          Issue.record(
            """
            seed \(seed), \(program.policy), \(program.whenBusy), retry \(program.retry as Any), \
            hosted \(program.isHosted), runs \(program.runs[key]!)
            steps    \(program.steps(of: key))
            loop     \(expected[key]!.joined(separator: ", "))
            key      \(actual[key]!.joined(separator: ", "))
            """)
        }
        return
      }
    }
  }

  @Test("K4: keys run at the same times as in a naive work queue", arguments: [false, true])
  func workQueue(_ isHosted: Bool) {
    for seed in Stress.seeds(2000) {
      var random = SeededGenerator(seed: seed)
      let keys = (0..<Int.random(in: 1...8, using: &random)).map { "\($0)" }
      var model = NaiveWorkQueue(workers: Int.random(in: 1...4, using: &random), delay: nil, runs: [:])
      if Bool.random(using: &random) { model.delay = Int.random(in: 1...20_000, using: &random) }
      let longest = Int.random(in: 1...20_000, using: &random)
      for key in keys {
        model.runs[key] = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          RefreshScript.Run(
            microseconds: Int.random(in: 1...longest, using: &random),
            fails: Int.random(in: 0..<4, using: &random) == 0)
        }
        model.runs[key]?.append(.init(microseconds: 777))
      }
      let density = Int.random(in: 0...6, using: &random)
      var tick = 0
      let requests = (0..<Int.random(in: 1...60, using: &random)).map { _ in
        tick += Int.random(in: 0...density, using: &random)
        return (instant: tick, key: keys.randomElement(using: &random)!)
      }
      guard let expected = model.entries(requests) else { continue }
      let actual = entries(of: model, requests, isHosted)
      guard actual == expected else {
        Issue.record(
          """
          seed \(seed), \(model)
          requests \(requests)
          model    \(expected.joined(separator: ", "))
          loop     \(actual.joined(separator: ", "))
          """)
        return
      }
    }
  }

  private func entries(
    of model: NaiveWorkQueue, _ requests: [(instant: Int, key: String)], _ isHosted: Bool
  ) -> [String] {
    let scheduler = TestScheduler()
    let script = KeyedScript(scheduler, model.runs)
    let retry = model.delay.map { Backoff.constant(.microseconds($0)) } ?? .never
    let body: KeyedRefreshLoop<String>.Body = { try await script.body($0) }
    let loop: KeyedRefreshLoop<String>
    if isHosted {
      loop = KeyedRefreshLoop(on: scheduler, retry: retry)
      Task(executorPreference: scheduler) { [loop] in
        await loop.run(maxConcurrentRuns: model.workers, body) { _, _ in }
      }
      scheduler.advance(by: .zero)
    } else {
      loop = KeyedRefreshLoop(
        on: scheduler, retry: retry, maxConcurrentRuns: model.workers, body: body, onError: { _, _ in })
    }
    for (instant, key) in requests { scheduler.at(instant) { loop.request(key) } }
    scheduler.run()
    #expect(script.largest <= model.workers)
    return script.entries
  }

  @Test("K6, W2: the counts of a keyed loop are exact on random programs")
  func monitor() {
    for seed in Stress.seeds(2000) {
      let program = Program(seed: seed)
      let log = MonitorLog()
      let records = withCoalescingMonitor(log) { actual(program) }
      let source = log.records[0].source
      let runs = records.values.reduce(0) { $0 + $1.count { $0.hasPrefix("start") } }
      guard log.faults == [], log.records[0].deliveries.count == runs, log.records[0].unsent == 0,
        log.records[0].signals == source.statistics.signalCount, source.statistics.pendingSignalCount == 0
      else {
        Issue.record("seed \(seed), \(runs) runs: \(log.faults), \(log.entries)")
        return
      }
    }
  }
}

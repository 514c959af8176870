import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L10: random programs in which callers wait for answers, calls drop requests, and hosts change. Each record
/// is checked by rules that do not depend on the loop.
struct RefreshAnswerRandomTests {
  private enum Step: CaseIterable {
    case call, callAgain, request, cancelCaller, cancel, flush, cancelRun, host, cancelHost
  }

  private struct Program {
    var policy: CoalescingPolicy
    var whenBusy: RefreshLoop.WhenBusy
    var retry: Backoff
    var runs: [RefreshScript.Run]
    var isHosted: Bool
    var steps: [(instant: Int, step: Step)]

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      policy = Policies.all.randomElement(using: &random)!
      whenBusy = RefreshLoop.WhenBusy.modes.randomElement(using: &random)!
      retry = Bool.random(using: &random) ? .never : .constant(.milliseconds(7))
      isHosted = Bool.random(using: &random)
      runs = RefreshScript.randomRuns(&random)
      var instant = 0
      steps = []
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        instant += Int.random(in: 0...6, using: &random)
        steps.append((instant, Step.allCases.randomElement(using: &random)!))
      }
    }
  }

  @Test(
    "L10: each caller has exactly one answer: of the first run that counts, or of the call that dropped it")
  func answers() {
    for seed in Stress.seeds(2000) {
      let program = Program(seed: seed)
      let record = record(program)
      let faults = Answers(record, isExact: program.policy.mayIgnoreNothing, program.whenBusy).faults
      guard faults.isEmpty else {
        let steps = program.steps.map { "\($0.step) \($0.instant)" }.joined(separator: ", ")
        Issue.record("seed \(seed), \(program)\nsteps \(steps)\n\(record.joined(separator: "\n"))\n\(faults)")
        return
      }
    }
  }

  /// Runs a program until its loop has stopped.
  private func record(_ program: Program) -> [String] {
    let scheduler = TestScheduler()
    let script = RefreshScript(scheduler, program.runs)
    let loop =
      program.isHosted
      ? RefreshLoop(
        on: scheduler, policy: program.policy, whenBusy: program.whenBusy, retry: program.retry,
        misuse: .report { _ in })
      : RefreshLoop(
        on: scheduler, policy: program.policy, whenBusy: program.whenBusy, retry: program.retry,
        misuse: .report { _ in }, body: { try await script.body() }, onError: { _ in })
    let tasks = Guarded<(callers: [Task<Void, Never>], hosts: [Task<Void, Never>])>(([], []))
    let perform = { @Sendable (number: Int, step: Step) in
      switch step {
      case .call, .callAgain:
        script.add("call \(number)")
        // The task starts immediately, because a run that begins before the request does not answer it.
        let task = Task.immediate(executorPreference: scheduler) {
          do {
            try await loop.refresh()
            script.add("answer \(number)")
          } catch is CancellationError {
            script.add("dropped \(number)")
          } catch {
            script.add("error \(number)")
          }
        }
        tasks.withLock { $0.callers.append(task) }
      case .request: loop.request()
      case .cancelCaller:
        script.add("drop")
        tasks.withLock { $0.callers.last }?.cancel()
      case .cancel:
        script.add("drop")
        loop.cancel()
      case .flush: loop.flush()
      case .cancelRun:
        script.add("drop")
        loop.cancelRun()
      case .host:
        let task = Task<Void, Never>(executorPreference: scheduler) {
          _ = try? await loop.run { try await script.body() }
        }
        tasks.withLock { $0.hosts.append(task) }
      case .cancelHost:
        script.add("drop")
        tasks.withLock { $0.hosts.last }?.cancel()
      }
    }
    for (number, step) in program.steps.enumerated() {
      scheduler.at(step.instant) { perform(number, step.step) }
    }
    scheduler.advance(by: .milliseconds(400))
    script.add("drop")
    let stop = Task(executorPreference: scheduler) { await loop.stop() }
    scheduler.run()
    for host in tasks.withLock({ $0.hosts }) { host.cancel() }
    scheduler.run()
    withExtendedLifetime(stop) {}
    return script.entries
  }
}

/// The rules for answers, applied to the record of a script.
private struct Answers {
  private(set) var faults: [String] = []

  private struct Entry {
    let words: [Substring]
    var kind: Substring { words[0] }
    var instant: Substring { words.last! }
    var caller: Substring? { words.count == 3 ? words[1] : nil }
  }

  /// - Parameter isExact: Whether a request must be answered by a run that begins after the request, or by
  ///   the run in progress.
  init(_ record: [String], isExact: Bool, _ whenBusy: RefreshLoop.WhenBusy) {
    let entries = record.map { Entry(words: $0.split(separator: " ")) }
    let starts = entries.indices.filter { entries[$0].kind == "start" }
    // Only one run is in progress at a time, so a run ends with the next entry of an end.
    let runs = starts.map { start in
      (start: start, end: entries[start...].firstIndex { ["end", "fail", "cancelled"].contains($0.kind) })
    }
    for (index, call) in entries.enumerated() where call.kind == "call" {
      let answers = entries.indices.filter { entries[$0].caller == call.caller && $0 != index }
      guard let place = answers.first, answers.count == 1 else {
        faults.append("call \(call.caller!) has \(answers.count) answers")
        continue
      }
      let answer = entries[place]
      if answer.kind == "dropped" {
        let isCaused = entries[index...place].contains {
          ["drop", "cancelled"].contains($0.kind) && $0.instant == answer.instant
        }
        // A cancelled run may continue for a time, and a body may fail with an error that is not a
        // cancellation.
        if !isCaused && !entries[..<place].contains(where: { $0.kind == "drop" }) {
          faults.append("call \(call.caller!) was dropped by nothing")
        }
        continue
      }
      let kind = answer.kind == "answer" ? "end" : "fail"
      let counted = runs.filter { run in
        guard let end = run.end, end < place else { return false }
        return run.start > index || whenBusy == .ignore && end > index || !isExact
      }
      guard let run = counted.last, entries[run.end!].kind == kind else {
        faults.append("call \(call.caller!) has the answer of no run")
        continue
      }
      guard isExact else { continue }
      if entries[run.end!].instant != answer.instant {
        faults.append("call \(call.caller!) is answered late")
      }
      if counted.dropLast().contains(where: { entries[$0.end!].kind == "end" }) {
        faults.append("call \(call.caller!) is not answered by the first run")
      }
    }
  }
}

extension CoalescingPolicy {
  /// Whether no signal is ignored.
  fileprivate var mayIgnoreNothing: Bool {
    ![.debounce(.milliseconds(10), edges: .leading), .throttle(.milliseconds(10), edges: .leading)]
      .contains(self)
  }
}

import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L10: random programs in which callers wait for their elements, calls drop elements, and hosts change. The
/// answer of each caller is compared with the fate of its element.
struct BatchAnswerRandomTests {
  /// An element that contains the numbers of all elements that were combined into it.
  private struct Item: Sendable {
    var key: Int
    var numbers: [Int]
  }

  private enum Rule: CaseIterable {
    case newest, oldest, distinct, combined, unlimited
  }

  private enum Step: CaseIterable {
    case process, processAgain, processMore, add, cancelCaller, cancel, flush, cancelRun, host, cancelHost
  }

  private enum Fate: Sendable {
    case saved, failed, dropped
  }

  /// The recorded course of a program.
  private struct Course: Sendable {
    /// The latest event of each element that was in a run or was dropped.
    var fates: [Int: Fate] = [:]
    var answers: [Int: [Fate]] = [:]
    var cancelledCallers: Set<Int> = []
    /// The elements in the order of their additions.
    var added: [(number: Int, key: Int)] = []
  }

  private final class Record: Sendable {
    private let course: Guarded<Course> = Guarded(Course())

    func read() -> Course { course.withLock { $0 } }

    func change(_ body: (inout Course) -> Void) { course.withLock(body) }

    func note(_ items: some Sequence<Item>, _ fate: Fate) {
      change { course in for number in items.flatMap(\.numbers) { course.fates[number] = fate } }
    }
  }

  private struct Program: Sendable {
    var policy: CoalescingPolicy
    var rule: Rule
    var limit: Int
    var batchSize: Int
    var retry: Backoff
    var runs: [RefreshScript.Run]
    var isHosted: Bool
    var steps: [(instant: Int, step: Step, key: Int)]

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      policy = Policies.all.randomElement(using: &random)!
      rule = Rule.allCases.randomElement(using: &random)!
      limit = Int.random(in: 1...4, using: &random)
      batchSize =
        rule != .combined && Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : .max
      retry = Bool.random(using: &random) ? .never : .constant(.milliseconds(7))
      isHosted = Bool.random(using: &random)
      runs = RefreshScript.randomRuns(&random)
      var instant = 0
      steps = []
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        instant += Int.random(in: 0...6, using: &random)
        steps.append(
          (instant, Step.allCases.randomElement(using: &random)!, Int.random(in: 0..<3, using: &random)))
      }
    }

    var keeping: ElementLimit<Item> {
      switch rule {
      case .newest: .newest(limit)
      case .oldest: .oldest(limit)
      case .distinct: .distinct(limit, by: \.key)
      case .combined: .combined { Item(key: $0.key, numbers: $0.numbers + $1.numbers) }
      case .unlimited: .unlimited
      }
    }
  }

  @Test("L10: each caller gets exactly one answer, the fate of its element or of the element's successor")
  func answers() {
    for seed in Stress.seeds(2000) {
      let program = Program(seed: seed)
      let record = record(program)
      let faults = faults(record, program.rule)
      guard faults.isEmpty else {
        let steps = program.steps.map { "\($0.step) \($0.key) at \($0.instant)" }.joined(separator: ", ")
        Issue.record("seed \(seed), \(program)\nsteps \(steps)\n\(record)\n\(faults)")
        return
      }
    }
  }

  private func faults(_ course: Course, _ rule: Rule) -> [String] {
    course.added.indices.compactMap { place in
      let (number, key) = course.added[place]
      let answers = course.answers[number]
      // A cancelled caller is answered by the cancellation. The caller may not have added its element.
      if course.cancelledCallers.contains(number) && answers == [.dropped] { return nil }
      // The element, and the elements that may have replaced it. An element that has failed may also be
      // replaced.
      let line = rule == .distinct ? course.added[place...].filter { $0.key == key } : [(number, key)]
      let fates = line.compactMap { course.fates[$0.number] }
      let last = fates.firstIndex { $0 != .failed } ?? fates.count - 1
      guard last >= 0 else { return "\(number) has no fate" }
      let isRight = answers?.count == 1 && fates[...last].contains(answers![0])
      return answers == nil || isRight ? nil : "\(number): \(answers!), not one of \(fates[...last])"
    }
  }

  /// Runs a program until its loop has stopped.
  private func record(_ program: Program) -> Course {
    let scheduler = TestScheduler()
    let script = RefreshScript(scheduler, program.runs)
    let record = Record()
    let onDrop = { @Sendable (item: Item) in record.note([item], .dropped) }
    let body = { @Sendable (batch: ElementBatch<Item>) in
      try await script.body()
      record.note(batch, .saved)
    }
    let onError = { @Sendable (_: any Error, batch: ElementBatch<Item>) in
      record.note(batch, .failed)
    }
    let loop =
      program.isHosted
      ? BatchLoop<Item>(
        on: scheduler, policy: program.policy, keeping: program.keeping, batchSize: program.batchSize,
        onDrop: onDrop, retry: program.retry, misuse: .report { _ in })
      : BatchLoop<Item>(
        on: scheduler, policy: program.policy, keeping: program.keeping, batchSize: program.batchSize,
        onDrop: onDrop, retry: program.retry, misuse: .report { _ in }, body: body, onError: onError)
    let tasks = Guarded<(callers: [(number: Int, task: Task<Void, Never>)], hosts: [Task<Void, Never>])>(
      ([], []))
    let perform = { @Sendable (number: Int, step: Step, key: Int) in
      let item = Item(key: key, numbers: [number])
      switch step {
      case .process, .processAgain, .processMore:
        record.change { $0.answers[number] = [] }
        let task = Task(executorPreference: scheduler) {
          record.change { $0.added.append((number, key)) }
          do {
            try await loop.process(item)
            record.change { $0.answers[number]?.append(.saved) }
          } catch is CancellationError {
            record.change { $0.answers[number]?.append(.dropped) }
          } catch {
            record.change { $0.answers[number]?.append(.failed) }
          }
        }
        tasks.withLock { $0.callers.append((number, task)) }
      case .add:
        record.change { $0.added.append((number, key)) }
        loop.add(item)
      case .cancelCaller:
        guard let caller = tasks.withLock({ $0.callers.last }) else { return }
        record.change { _ = $0.cancelledCallers.insert(caller.number) }
        caller.task.cancel()
      case .cancel: loop.cancel()
      case .flush: loop.flush()
      case .cancelRun: loop.cancelRun()
      case .host:
        let task = Task<Void, Never>(executorPreference: scheduler) { await loop.run(body, onError: onError) }
        tasks.withLock { $0.hosts.append(task) }
      case .cancelHost: tasks.withLock { $0.hosts.last }?.cancel()
      }
    }
    for (number, step) in program.steps.enumerated() {
      scheduler.at(step.instant) { perform(number, step.step, step.key) }
    }
    scheduler.advance(by: .milliseconds(400))
    let stop = Task(executorPreference: scheduler) { await loop.stop() }
    scheduler.run()
    for host in tasks.withLock({ $0.hosts }) { host.cancel() }
    scheduler.run()
    withExtendedLifetime(stop) {}
    return record.read()
  }
}

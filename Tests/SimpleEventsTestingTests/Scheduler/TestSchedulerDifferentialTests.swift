import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Compares the scheduler with a sorted list, on random work.
struct TestSchedulerDifferentialTests {
  private struct Item {
    var deadline: Int
    /// The names are numbers that grow in the order in which the work is scheduled.
    var name: Int
  }

  @Test("S2, S3: the scheduler agrees with a sorted list", arguments: Stress.seeds(300))
  func agreesWithSortedList(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let scheduler = TestScheduler()
    let log = Log()
    var expected: [String] = []
    var model: [Item] = []
    var works: [(name: Int, work: any ScheduledWork)] = []
    // Queues are short or long, and filled in rounds, so that entries of one round are pending together with
    // entries of the next.
    let most = [8, 300].randomElement(using: &random)!
    for round in 0..<4 {
      let now = 10 * round
      for name in 1000 * round..<1000 * round + Int.random(in: 0...most, using: &random) {
        let deadline = now + Int.random(in: 0...30, using: &random)
        let work = scheduler.schedule(at: EventInstant(nanoseconds: Int64(deadline))) { log.add("\(name)") }
        works.append((name, work))
        model.append(Item(deadline: deadline, name: name))
        if Int.random(in: 0..<3, using: &random) == 0 {
          let cancelled = works.remove(at: Int.random(in: 0..<works.count, using: &random))
          cancelled.work.cancel()
          model.removeAll { $0.name == cancelled.name }
        }
      }
      if Int.random(in: 0..<3, using: &random) == 0 {
        // The cancellations are enough for the queue to compact itself.
        for cancelled in works.shuffled(using: &random).dropLast(works.count / 5) {
          cancelled.work.cancel()
          model.removeAll { $0.name == cancelled.name }
        }
      }
      #expect(scheduler.pendingCount == model.count)
      expected += inOrder(model.filter { $0.deadline <= now + 10 })
      model.removeAll { $0.deadline <= now + 10 }
      scheduler.advance(by: .nanoseconds(10))
    }
    scheduler.run()
    expected += inOrder(model)
    #expect(log.entries == expected)
  }

  private func inOrder(_ items: [Item]) -> [String] {
    items.sorted { ($0.deadline, $0.name) < ($1.deadline, $1.name) }.map { "\($0.name)" }
  }
}

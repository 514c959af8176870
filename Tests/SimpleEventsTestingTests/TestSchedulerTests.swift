import Dispatch
import SimpleEvents
import SimpleEventsTesting
import Synchronization
import Testing

@Suite struct TestSchedulerTests {
  private final class Trace: Sendable {
    private let entries: Mutex<[String]> = Mutex([])
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  private let scheduler = TestScheduler()
  private let trace = Trace()

  private func at(_ milliseconds: Int, _ name: String, then: @escaping @Sendable () -> Void = {}) {
    scheduler.schedule(at: EventInstant(nanoseconds: Int64(milliseconds) * 1_000_000)) {
      [trace] in
      trace.add(name)
      then()
    }
  }

  @Test func `S3 runs in the order of deadline and sequence`() {
    at(2, "c")
    at(1, "a")
    at(2, "d")
    at(1, "b")
    scheduler.run()
    #expect(trace.all == ["a", "b", "c", "d"])
  }

  @Test func `S3 nothing runs except inside advance and run`() {
    scheduler.schedule { [trace] in trace.add("now") }
    at(0, "at zero")
    #expect(trace.all == [])
    scheduler.advance()
    #expect(trace.all == ["now", "at zero"])
  }

  @Test func `S3 now is the deadline of what is running`() {
    for instant in [1, 5, 9] {
      at(instant, "") { [scheduler, trace] in trace.add("\(scheduler.now.nanoseconds / 1_000_000)") }
    }
    scheduler.advance(by: .milliseconds(20))
    #expect(trace.all.filter { !$0.isEmpty } == ["1", "5", "9"])
    #expect(scheduler.now == EventInstant(nanoseconds: 20_000_000))
  }

  @Test func `S3 advancing is inclusive, and never goes back`() {
    at(10, "at the end")
    at(11, "after it")
    scheduler.advance(by: .milliseconds(10))
    #expect(trace.all == ["at the end"])
    scheduler.advance(by: .milliseconds(-5))
    scheduler.advance(to: EventInstant(nanoseconds: 3))
    #expect(scheduler.now == EventInstant(nanoseconds: 10_000_000))
    #expect(trace.all == ["at the end"])
  }

  @Test func `S3 work scheduled by work runs in the same advance, if it is due`() {
    at(1, "a") { [self] in
      scheduler.schedule { [trace] in trace.add("at once") }
      at(2, "later")
      at(9, "too late")
    }
    at(1, "b")
    scheduler.advance(by: .milliseconds(5))
    #expect(trace.all == ["a", "b", "at once", "later"])
    #expect(scheduler.pendingCount == 1)
  }

  @Test func `S3 one entry is popped at a time, so that a peer can cancel the next`() {
    let victim = Mutex<(any ScheduledWork)?>(nil)
    at(1, "a") { victim.withLock { $0 }?.cancel() }
    let work = scheduler.schedule(at: EventInstant(nanoseconds: 1_000_000)) { [trace] in trace.add("victim") }
    victim.withLock { $0 = work }
    at(1, "b")
    scheduler.run()
    #expect(trace.all == ["a", "b"])
  }

  @Test func `S2 cancelling work that has run does nothing to work that came later`() {
    for count in [3, 300] {
      let trace = Trace()
      let old = (0..<count).map { _ in scheduler.schedule(at: scheduler.now) { trace.add("old") } }
      scheduler.run()
      old.last?.cancel()
      scheduler.schedule { trace.add("new") }
      old.forEach { $0.cancel() }
      #expect(scheduler.pendingCount == 1)
      scheduler.run()
      #expect(trace.all.count == count + 1)
      #expect(trace.all.last == "new")
    }
  }

  @Test func `S3 run has a limit for endless work`() {
    @Sendable func again() {
      trace.add("x")
      scheduler.schedule { again() }
    }
    scheduler.schedule { again() }
    #expect(scheduler.run(limit: 50) == 50)
    #expect(trace.all.count == 50)
    #expect(scheduler.pendingCount == 1)
  }

  @Test func `S3 run tells how much it ran, and moves time to the last of it`() {
    at(3, "a")
    at(7, "b")
    #expect(scheduler.run() == 2)
    #expect(scheduler.now == EventInstant(nanoseconds: 7_000_000))
    #expect(scheduler.run() == 0)
  }

  @Test func `S3 a nested advance is flagged, and does nothing`() {
    let misuses = Mutex<[Misuse.Kind]>([])
    let scheduler = TestScheduler(
      misuse: .report { misuse in misuses.withLock { $0.append(misuse.kind) } })
    scheduler.schedule { [trace] in
      trace.add("outer")
      scheduler.schedule { trace.add("inner") }
      scheduler.advance(by: .seconds(1))
      #expect(scheduler.run() == 0)
      trace.add("end of outer")
    }
    scheduler.advance()
    #expect(trace.all == ["outer", "end of outer", "inner"])
    #expect(scheduler.now == EventInstant(nanoseconds: 0))
    #expect(misuses.withLock { $0 } == [.nestedAdvance, .nestedAdvance])
  }

  @Test func `S3 isCurrent is true on the thread that drives it, and on no other`() {
    #expect(scheduler.isCurrent)
    let elsewhere = onAnotherThread { [scheduler] in scheduler.isCurrent }
    #expect(!elsewhere)
    let driving = onAnotherThread { [scheduler] in
      scheduler.advance()
      return scheduler.isCurrent
    }
    #expect(driving)
    #expect(!scheduler.isCurrent, "another thread drives it now")
    scheduler.advance()
    #expect(scheduler.isCurrent)
  }

  @Test func `a dropped scheduler lets go of what waits`() {
    final class Captured: Sendable {}
    weak var captured: Captured?
    do {
      let scheduler = TestScheduler()
      let strong = Captured()
      captured = strong
      scheduler.schedule { withExtendedLifetime(strong) {} }
      scheduler.schedule(at: .distantFuture) { withExtendedLifetime(strong) {} }
    }
    #expect(captured == nil)
  }

  @Test func `agrees with a sorted list on random work`() {
    struct Item {
      var deadline: Int
      var name: Int
    }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let seed = UInt64.random(in: 0..<1_000_000, using: &random)
      var generator = Seeded(state: seed)
      let scheduler = TestScheduler()
      let trace = Trace()
      var expected: [String] = []
      var model: [Item] = []
      var works: [(Int, any ScheduledWork)] = []
      // Little work and much, in rounds: what waits from one round meets what comes in the next.
      let most = [8, 300].randomElement(using: &generator)!
      for round in 0..<4 {
        let now = 10 * round
        for name in 1000 * round..<1000 * round + Int.random(in: 0...most, using: &generator) {
          let deadline = now + Int.random(in: 0...30, using: &generator)
          works.append(
            (
              name,
              scheduler.schedule(at: EventInstant(nanoseconds: Int64(deadline))) { trace.add("\(name)") }
            ))
          model.append(Item(deadline: deadline, name: name))
          if Int.random(in: 0..<3, using: &generator) == 0 {
            let (victim, work) = works.remove(at: Int.random(in: 0..<works.count, using: &generator))
            work.cancel()
            model.removeAll { $0.name == victim }
          }
        }
        if Int.random(in: 0..<3, using: &generator) == 0 {
          // So much is cancelled that the queue clears up.
          for (victim, work) in works.shuffled(using: &generator).dropLast(works.count / 5) {
            work.cancel()
            model.removeAll { $0.name == victim }
          }
        }
        #expect(scheduler.pendingCount == model.count)
        // Names grow in the order in which the work came.
        let due = model.filter { $0.deadline <= now + 10 }.sorted {
          ($0.deadline, $0.name) < ($1.deadline, $1.name)
        }
        expected += due.map { "\($0.name)" }
        model.removeAll { $0.deadline <= now + 10 }
        scheduler.advance(by: .nanoseconds(10))
      }
      scheduler.run()
      expected += model.sorted { ($0.deadline, $0.name) < ($1.deadline, $1.name) }.map { "\($0.name)" }
      #expect(trace.all == expected, "seed \(seed)")
    }
  }

  /// SplitMix64.
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private func onAnotherThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    let result = Mutex<Result?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    // NB: not `sync`, which runs on the calling thread.
    DispatchQueue(label: "another").async {
      let value = body()
      result.withLock { $0 = value }
      isDone.signal()
    }
    isDone.wait()
    return result.withLock { $0! }
  }
}

import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

struct TestSchedulerTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  private func at(_ milliseconds: Int, _ name: String, then: @escaping @Sendable () -> Void = {}) {
    scheduler.at(milliseconds) { [log] in
      log.add(name)
      then()
    }
  }

  @Test("S3: work runs in the order of deadline and sequence")
  func order() {
    at(2, "c")
    at(1, "a")
    at(2, "d")
    at(1, "b")
    scheduler.run()
    #expect(log.entries == ["a", "b", "c", "d"])
  }

  @Test("S3: nothing runs except inside advance and run")
  func runsInsideAdvanceOnly() {
    scheduler.schedule { [log] in log.add("now") }
    at(0, "at zero")
    #expect(log.entries == [])
    scheduler.advance()
    #expect(log.entries == ["now", "at zero"])
  }

  @Test("S3: the elapsed time and the description of an instant count from the creation of the scheduler")
  func elapsed() {
    scheduler.advance(by: .milliseconds(2500))
    #expect(scheduler.elapsed == .milliseconds(2500))
    #expect("\(scheduler.now)" == "2.5 seconds")
    #expect("\(EventInstant.distantFuture)" == "the instant that never comes")
  }

  @Test("S3: now is the deadline of the entry that runs")
  func nowInsideWork() {
    for instant in [1, 5, 9] {
      scheduler.at(instant) { [scheduler, log] in log.add("\(scheduler.milliseconds)") }
    }
    scheduler.advance(by: .milliseconds(20))
    #expect(log.entries == ["1", "5", "9"])
    #expect(scheduler.now == .ms(20))
  }

  @Test("S3: advancing is inclusive, and never goes back")
  func advanceIsInclusive() {
    at(10, "at the end")
    at(11, "after it")
    scheduler.advance(by: .milliseconds(10))
    #expect(log.entries == ["at the end"])
    scheduler.advance(by: .milliseconds(-5))
    scheduler.advance(to: EventInstant(nanoseconds: 3))
    #expect(scheduler.now == .ms(10))
    #expect(log.entries == ["at the end"])
  }

  @Test("S3: advancing by a negative duration runs the work that is due now")
  func advanceByNegativeDuration() {
    scheduler.schedule { [log] in log.add("due") }
    scheduler.advance(by: .seconds(-1))
    #expect(log.entries == ["due"])
    #expect(scheduler.now == .ms(0))
  }

  @Test("S3: an advance to the distant future does not reach it", arguments: [true, false])
  func advanceToNever(byDuration: Bool) {
    scheduler.schedule(at: .distantFuture) { [log] in log.add("never") }
    scheduler.schedule(at: EventInstant(nanoseconds: .max - 1)) { [log] in log.add("last") }
    for _ in 0..<2 {
      if byDuration {
        scheduler.advance(by: .seconds(Int64.max))
      } else {
        scheduler.advance(to: .distantFuture)
      }
    }
    #expect(log.entries == ["last"])
    #expect(scheduler.now < .distantFuture && scheduler.pendingCount == 1)
    scheduler.schedule { [log] in log.add("due") }
    scheduler.advance()
    #expect(log.entries == ["last", "due"])
  }

  @Test("S3: work that is scheduled by work runs in the same advance, if it is due")
  func workScheduledByWork() {
    at(1, "a") { [self] in
      scheduler.schedule { [log] in log.add("immediately") }
      at(2, "later")
      at(9, "too late")
    }
    at(1, "b")
    scheduler.advance(by: .milliseconds(5))
    #expect(log.entries == ["a", "b", "immediately", "later"])
    #expect(scheduler.pendingCount == 1)
  }

  @Test("S2: an entry may cancel another entry that is due at the same instant")
  func cancellationByPeer() {
    let peer = Guarded<(any ScheduledWork)?>(nil)
    at(1, "a") { peer.withLock { $0 }?.cancel() }
    let work = scheduler.at(1) { [log] in log.add("peer") }
    peer.withLock { $0 = work }
    at(1, "b")
    scheduler.run()
    #expect(log.entries == ["a", "b"])
  }

  @Test("S2: cancelling work that has run does not affect later work", arguments: [3, 300])
  func cancellationAfterRun(_ count: Int) {
    let old = (0..<count).map { _ in scheduler.at(0) { [log] in log.add("old") } }
    scheduler.run()
    old.last?.cancel()
    scheduler.schedule { [log] in log.add("new") }
    old.forEach { $0.cancel() }
    #expect(scheduler.pendingCount == 1)
    scheduler.run()
    #expect(log.entries.count == count + 1)
    #expect(log.entries.last == "new")
  }

  @Test("S3: run stops endless work at its limit")
  func runLimit() {
    @Sendable func again() {
      log.add("x")
      scheduler.schedule { again() }
    }
    scheduler.schedule { again() }
    #expect(scheduler.run(limit: 50) == 50)
    #expect(log.entries.count == 50)
    #expect(scheduler.pendingCount == 1)
  }

  @Test("S3: run returns the number of entries, and moves time to the last one")
  func runResult() {
    at(3, "a")
    at(7, "b")
    #expect(scheduler.run() == 2)
    #expect(scheduler.now == .ms(7))
    #expect(scheduler.run() == 0)
  }

  @Test("S3: a nested advance is flagged, and does nothing")
  func nestedAdvance() {
    let misuses = MisuseLog()
    let scheduler = TestScheduler(misuse: misuses.handler)
    scheduler.schedule { [log] in
      log.add("outer")
      scheduler.schedule { log.add("inner") }
      scheduler.advance(by: .seconds(1))
      #expect(scheduler.run() == 0)
      log.add("end of outer")
    }
    scheduler.advance()
    #expect(log.entries == ["outer", "end of outer", "inner"])
    #expect(scheduler.now == .ms(0))
    #expect(misuses.kinds == [.nestedAdvance, .nestedAdvance])
  }

  @Test("S3: while the scheduler runs work, isCurrent is true inside the work and false on other threads")
  func isCurrentInsideWork() {
    scheduler.schedule { [scheduler, log] in
      log.add("inside \(scheduler.isCurrent)")
      onThreads(1) { _ in log.add("other thread \(scheduler.isCurrent)") }
    }
    scheduler.advance()
    #expect(log.entries == ["inside true", "other thread false"])
  }

  @Test("S3: isCurrent is true for every caller while the scheduler is idle")
  func isCurrentWhileIdle() {
    #expect(scheduler.isCurrent)
    onThreads(1) { [scheduler, log] _ in
      log.add("before \(scheduler.isCurrent)")
      scheduler.advance()
      log.add("after \(scheduler.isCurrent)")
    }
    #expect(log.entries == ["before true", "after true"])
    #expect(scheduler.isCurrent, "the other thread advanced it last")
  }

  @Test("S1, S2: work that several threads schedule and cancel runs once, or never if it is cancelled")
  func threads() {
    let rounds = Stress.rounds(5_000)
    let recorder = EventRecorder(on: scheduler)
    onThreads(4) { [scheduler] _ in
      for _ in 0..<rounds {
        scheduler.schedule { recorder.record() }
        scheduler.schedule(at: .ms(1)) { recorder.record() }.cancel()
      }
    }
    scheduler.run()
    #expect(recorder.count == 4 * rounds)
  }

  @Test("S3: a test may change threads at an await")
  func threadChangeAtAwait() async {
    let misuses = MisuseLog()
    let recorder = EventRecorder(on: scheduler)
    let callback = CoalescingCallback(on: scheduler, misuse: misuses.handler) { recorder.record() }
    for _ in 0..<1000 {
      callback.schedule()
      await Task.detached {}.value
      callback.flush()
    }
    #expect(recorder.count == 1000)
    #expect(misuses.messages == [])
  }

  @Test("S2: a deallocated scheduler releases its pending work")
  func deallocation() {
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
}

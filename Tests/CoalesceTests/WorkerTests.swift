import Dispatch
import SimpleEvents
import TestSupport
import Testing
import coalesce

/// The threads of the tool as schedulers, in real time. The tests assert the order of calls, and lower bounds
/// of time.
struct WorkerTests {
  @Test("S1: work runs first in first out, on the worker, after the call that scheduled it has returned")
  func order() throws {
    let worker = try Worker()
    let log = Log()
    worker.perform {
      for number in 0..<100 { worker.schedule { log.add("\(number) \(worker.isCurrent)") } }
      log.add("first")
    }
    worker.perform {}
    #expect(log.entries == ["first"] + (0..<100).map { "\($0) true" })
    #expect(!worker.isCurrent)
    #expect(worker.isKnownElsewhere)
  }

  @Test("S1: work runs in the order of deadlines, then in the order of the calls, and never early")
  func deadlines() throws {
    let worker = try Worker()
    let log = Log()
    let isOver = DispatchSemaphore(value: 0)
    let start = worker.now
    let late = start.advanced(by: .milliseconds(30))
    worker.schedule(at: late) { log.add("c \(worker.now >= late)") }
    worker.schedule(at: late) {
      log.add("d")
      isOver.signal()
    }
    let early = start.advanced(by: .milliseconds(20))
    worker.schedule(at: early) { log.add("b \(worker.now >= early)") }
    worker.schedule(at: start) { log.add("a") }
    isOver.wait()
    #expect(log.entries == ["a", "b true", "c true", "d"])
  }

  @Test("S2: cancelled work does not run, and its captures are released immediately")
  func cancellation() throws {
    let worker = try Worker()
    let log = Log()
    weak var canary: Pending?
    let work = {
      let object = Pending()
      canary = object
      return worker.schedule(at: .distantFuture) { withExtendedLifetime(object) { log.add("cancelled") } }
    }()
    #expect(canary != nil)
    work.cancel()
    #expect(canary == nil)
    // This work cancels other work that is due at the same instant.
    worker.perform {
      let now = worker.now
      let pending = Pending()
      worker.schedule(at: now) { pending.work.withLock { $0 }?.cancel() }
      let work = worker.schedule(at: now) { log.add("cancelled") }
      pending.work.withLock { $0 = work }
    }
    worker.perform {}
    #expect(log.entries == [])
  }

  @Test("Worker.perform: a limit ends the wait, and the work continues")
  func limit() throws {
    let worker = try Worker()
    let gate = DispatchSemaphore(value: 0)
    let log = Log()
    let isOver = worker.perform(within: .milliseconds(10)) {
      gate.wait()
      log.add("1")
    }
    #expect(!isOver)
    gate.signal()
    #expect(worker.perform(within: .seconds(60)) { log.add("2") })
    #expect(log.entries == ["1", "2"])
  }

  @Test("Worker.perform: asynchronous work and its continuations run on the worker")
  func tasks() throws {
    let worker = try Worker()
    let log = Log()
    worker.perform {
      log.add("\(worker.isCurrent)")
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
      log.add("\(worker.isCurrent)")
    }
    #expect(log.entries == ["true", "true"])
  }

  /// Stores work until other work cancels it.
  private final class Pending: Sendable {
    let work: Guarded<(any ScheduledWork)?> = Guarded(nil)
  }
}

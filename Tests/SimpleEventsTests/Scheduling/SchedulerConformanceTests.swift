import Dispatch
import SimpleEvents
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

/// S1 and S2: the same tests for every scheduler.
///
/// The real ones are waited for by work of their own, and asserted to keep an order and lower bounds.
@Suite(.serialized) struct SchedulerConformanceTests {
  enum Kind: CaseIterable {
    case main
    case serial
    case concurrent
    case virtual
  }

  /// A scheduler, and how to let it get on.
  struct Subject: Sendable {
    let scheduler: any EventScheduler
    let isSerial: Bool

    init(_ kind: Kind) {
      scheduler =
        switch kind {
        case .main: DispatchQueue.main
        case .serial: DispatchQueue(label: "serial")
        case .concurrent: DispatchQueue(label: "concurrent", attributes: .concurrent)
        case .virtual: TestScheduler()
        }
      isSerial = kind != .concurrent
    }

    func after(_ milliseconds: Int) -> EventInstant {
      scheduler.now.advanced(by: .milliseconds(milliseconds))
    }

    /// Returns when everything that is due by a deadline has begun to run.
    func reach(_ deadline: EventInstant) async {
      if let virtual = scheduler as? TestScheduler {
        return virtual.advance(to: deadline)
      }
      await withCheckedContinuation { continuation in
        scheduler.schedule(at: deadline, tolerance: .zero) {
          scheduler.schedule { continuation.resume() }
        }
      }
    }
  }

  /// What ran, in order.
  private final class Trace: Sendable {
    private let entries: Mutex<[Int]> = Mutex([])
    func add(_ entry: Int) { entries.withLock { $0.append(entry) } }
    var all: [Int] { entries.withLock { $0 } }
  }

  @Test(arguments: Kind.allCases)
  func `S1 work runs after the call has returned, first in first out`(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    let hasReturned = Flag()
    let gate = Mutex(())
    gate.withLock { _ in
      for index in 0..<100 {
        subject.scheduler.schedule {
          gate.withLock { _ in
            #expect(hasReturned.isSet)
            trace.add(index)
          }
        }
      }
      hasReturned.set()
    }
    await subject.reach(subject.after(20))
    if subject.isSerial {
      #expect(trace.all == Array(0..<100))
    } else {
      #expect(trace.all.sorted() == Array(0..<100), "concurrent work starts in order, but may overlap")
    }
  }

  @Test(arguments: Kind.allCases)
  func `S1 deadlines are kept in order, equal ones as scheduled, and never early`(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    let base = subject.after(20)
    // Three instants, many at each, scheduled in a mixed order.
    for index in 0..<60 {
      let deadline = base.advanced(by: .milliseconds((index % 3) * 10))
      subject.scheduler.schedule(at: deadline, tolerance: .zero) {
        #expect(subject.scheduler.now >= deadline)
        trace.add(index)
      }
    }
    await subject.reach(base.advanced(by: .milliseconds(40)))
    if subject.isSerial {
      #expect(trace.all == (0..<3).flatMap { third in stride(from: third, to: 60, by: 3) })
    } else {
      #expect(trace.all.sorted() == Array(0..<60))
    }
  }

  @Test(arguments: Kind.allCases)
  func `S1 a deadline in the past is due now, and still asynchronous`(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    for deadline in [EventInstant(nanoseconds: .min), EventInstant(nanoseconds: 0), subject.scheduler.now] {
      subject.scheduler.schedule(at: deadline, tolerance: .zero) { trace.add(1) }
    }
    await subject.reach(subject.after(10))
    #expect(trace.all == [1, 1, 1])
  }

  @Test(arguments: Kind.allCases)
  func `S1 the clock never goes back`(_ kind: Kind) async {
    let subject = Subject(kind)
    var last = subject.scheduler.now
    for _ in 0..<1000 {
      let now = subject.scheduler.now
      #expect(now >= last)
      last = now
    }
    let before = subject.scheduler.now
    await subject.reach(before.advanced(by: .milliseconds(10)))
    #expect(subject.scheduler.now >= before.advanced(by: .milliseconds(10)))
  }

  @Test(arguments: Kind.allCases)
  func `S1 a deadline that never comes keeps nothing else from coming`(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    let never = subject.scheduler.schedule(at: .distantFuture, tolerance: .zero) { trace.add(-1) }
    subject.scheduler.schedule(at: subject.after(5), tolerance: .zero) { trace.add(1) }
    await subject.reach(subject.after(20))
    #expect(trace.all == [1])
    never.cancel()
  }

  @Test(arguments: Kind.allCases)
  func `S2 cancelled work does not run`(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    let deadline = subject.after(10)
    let cancelled = (0..<10).map { index in
      subject.scheduler.schedule(at: deadline, tolerance: .zero) { trace.add(index) }
    }
    subject.scheduler.schedule(at: deadline, tolerance: .zero) { trace.add(100) }
    for work in cancelled {
      work.cancel()
      work.cancel()
    }
    await subject.reach(deadline.advanced(by: .milliseconds(10)))
    #expect(trace.all == [100])
  }

  @Test(arguments: [Kind.main, .serial, .virtual])
  func `S2 work does not run when a peer that is due at the same instant cancels it`(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    let deadline = subject.after(10)
    let victim = Mutex<(any ScheduledWork)?>(nil)
    subject.scheduler.schedule(at: deadline, tolerance: .zero) {
      trace.add(1)
      victim.withLock { $0 }?.cancel()
    }
    let work = subject.scheduler.schedule(at: deadline, tolerance: .zero) { trace.add(2) }
    victim.withLock { $0 = work }
    subject.scheduler.schedule(at: deadline, tolerance: .zero) { trace.add(3) }
    await subject.reach(deadline.advanced(by: .milliseconds(10)))
    #expect(trace.all == [1, 3])
  }

  @Test(arguments: Kind.allCases)
  func `S2 cancelling releases the closure at once`(_ kind: Kind) {
    let subject = Subject(kind)
    final class Captured: Sendable {}
    weak var captured: Captured?
    let work: any ScheduledWork
    do {
      let strong = Captured()
      captured = strong
      work = subject.scheduler.schedule(at: subject.after(60_000), tolerance: .zero) {
        withExtendedLifetime(strong) {}
      }
    }
    #expect(captured != nil)
    work.cancel()
    #expect(captured == nil)
  }

  @Test(arguments: Kind.allCases)
  func `the caller is on the scheduler inside its work`(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    subject.scheduler.schedule { trace.add(subject.scheduler.isCurrent ? 1 : 0) }
    subject.scheduler.schedule(at: subject.after(5), tolerance: .zero) {
      trace.add(subject.scheduler.isCurrent ? 1 : 0)
    }
    await subject.reach(subject.after(20))
    #expect(trace.all == [1, 1])
  }

  @Test func `a queue is current in work of queues that target it, and nowhere else`() {
    let target = DispatchQueue(label: "target")
    let queue = DispatchQueue(label: "queue", target: target)
    let other = DispatchQueue(label: "other")
    queue.sync {
      #expect(queue.isCurrent)
      #expect(target.isCurrent)
      #expect(!other.isCurrent)
    }
    target.sync {
      #expect(target.isCurrent)
      #expect(!queue.isCurrent)
    }
    #expect(!target.isCurrent)
  }
}

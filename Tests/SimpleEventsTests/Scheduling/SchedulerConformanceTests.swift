import Dispatch
import SimpleEvents
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

/// S1 and S2 for every scheduler, with the same tests (S5).
///
/// In real time, the tests assert the order of calls and lower bounds of time. They wait by means of work on
/// the scheduler.
@Suite(.serialized) struct SchedulerConformanceTests {
  enum Kind: CaseIterable {
    case main
    case serial
    case concurrent
    case actor
    case actorOnQueue
    case actorOnUnorderedExecutor
    case actorOnMuteExecutor
    case actorInVirtualTime
    case mainActor
    case virtual
  }

  /// A scheduler, and a function that lets time pass on the scheduler.
  struct Subject: Sendable {
    let scheduler: any EventScheduler
    let isSerial: Bool
    /// The actor of an actor's scheduler. The scheduler holds the actor weakly.
    private let actor: (any Actor)?
    /// The test scheduler whose time is moved; nil if time is real.
    private let virtual: TestScheduler?

    init(_ kind: Kind) {
      let queue = DispatchQueue(label: "serial")
      let virtual = TestScheduler()
      self.virtual = kind == .virtual || kind == .actorInVirtualTime ? virtual : nil
      actor =
        switch kind {
        case .actor: PlainActor()
        case .actorOnQueue: ActorOnExecutor(CheckingExecutor(queue))
        case .actorOnUnorderedExecutor: ActorOnExecutor(UnorderedExecutor())
        case .actorOnMuteExecutor: ActorOnExecutor(MuteExecutor())
        case .actorInVirtualTime: PlainActor()
        case .mainActor: MainActor.shared
        case .main, .serial, .concurrent, .virtual: nil
        }
      scheduler =
        switch kind {
        case .main: DispatchQueue.main
        case .serial: queue
        case .concurrent: DispatchQueue(label: "concurrent", attributes: .concurrent)
        case .virtual: virtual
        case .actor, .actorOnQueue, .actorOnUnorderedExecutor, .actorOnMuteExecutor, .mainActor:
          ActorScheduler(actor!)
        case .actorInVirtualTime: ActorScheduler(actor!, clock: virtual)
        }
      isSerial = kind != .concurrent
    }

    func after(_ milliseconds: Int) -> EventInstant {
      scheduler.now.advanced(by: .milliseconds(milliseconds))
    }

    /// Returns when all work that is due by a deadline has started.
    func reach(_ deadline: EventInstant) async {
      if let virtual { return virtual.advance(to: deadline) }
      await withCheckedContinuation { continuation in
        scheduler.schedule(at: deadline) {
          scheduler.schedule { continuation.resume() }
        }
      }
    }
  }

  private actor PlainActor {}

  /// The entries of work that has run, in order.
  private final class Trace: Sendable {
    private let entries: Mutex<[Int]> = Mutex([])
    func add(_ entry: Int) { entries.withLock { $0.append(entry) } }
    var all: [Int] { entries.withLock { $0 } }
  }

  @Test("S1: scheduled work runs asynchronously, first in first out", arguments: Kind.allCases)
  func firstInFirstOut(_ kind: Kind) async {
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
      #expect(
        trace.all.sorted() == Array(0..<100), "on a concurrent queue work starts in order and may overlap")
    }
  }

  @Test(
    "S1: work runs in the order of deadlines, then of scheduling, and never early",
    arguments: Kind.allCases)
  func deadlines(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    let base = subject.after(20)
    // Twenty pieces of work are scheduled for each of three instants, in alternation.
    for index in 0..<60 {
      let deadline = base.advanced(by: .milliseconds((index % 3) * 10))
      subject.scheduler.schedule(at: deadline) {
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

  @Test("S1: work with a deadline in the past runs asynchronously, without delay", arguments: Kind.allCases)
  func pastDeadlines(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    let hasReturned = Flag()
    let gate = Mutex(())
    gate.withLock { _ in
      for deadline in [EventInstant(nanoseconds: .min), EventInstant(nanoseconds: 0), subject.scheduler.now] {
        subject.scheduler.schedule(at: deadline) {
          gate.withLock { _ in trace.add(hasReturned.isSet ? 1 : 0) }
        }
      }
      hasReturned.set()
    }
    await subject.reach(subject.after(10))
    #expect(trace.all == [1, 1, 1])
  }

  @Test("S1: the clock is monotonic", arguments: Kind.allCases)
  func monotonicClock(_ kind: Kind) async {
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

  @Test("S1: a deadline in the distant future does not delay other work", arguments: Kind.allCases)
  func distantFuture(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    let never = subject.scheduler.schedule(at: .distantFuture) { trace.add(-1) }
    subject.scheduler.schedule(at: subject.after(5)) { trace.add(1) }
    await subject.reach(subject.after(20))
    #expect(trace.all == [1])
    never.cancel()
  }

  @Test("S2: cancelled work does not run", arguments: Kind.allCases)
  func cancellation(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    let deadline = subject.after(10)
    // On a busy machine, the work may begin before it is cancelled.
    let areCancelled = Shared(false)
    let cancelled = (0..<10).map { index in
      subject.scheduler.schedule(at: deadline) { if areCancelled.value { trace.add(index) } }
    }
    subject.scheduler.schedule(at: deadline) { trace.add(100) }
    for work in cancelled {
      work.cancel()
      work.cancel()
    }
    areCancelled.value = true
    await subject.reach(deadline.advanced(by: .milliseconds(10)))
    #expect(trace.all == [100])
  }

  @Test(
    "S2: work that is cancelled by other work at the same instant does not run",
    arguments: Kind.allCases.filter { $0 != .concurrent })
  func cancellationByPeer(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    let deadline = subject.after(10)
    let cancelled = Shared<(any ScheduledWork)?>(nil)
    // On a busy machine, the first work may be due before the second one is scheduled. It then waits here.
    cancelled.change { work in
      subject.scheduler.schedule(at: deadline) {
        trace.add(1)
        cancelled.value?.cancel()
      }
      work = subject.scheduler.schedule(at: deadline) { trace.add(2) }
    }
    subject.scheduler.schedule(at: deadline) { trace.add(3) }
    await subject.reach(deadline.advanced(by: .milliseconds(10)))
    #expect(trace.all == [1, 3])
  }

  @Test("S2: cancelling releases the closure immediately", arguments: Kind.allCases)
  func cancellationReleases(_ kind: Kind) {
    let subject = Subject(kind)
    final class Captured: Sendable {}
    weak var captured: Captured?
    let work: any ScheduledWork
    do {
      let strong = Captured()
      captured = strong
      work = subject.scheduler.schedule(at: subject.after(60_000)) {
        withExtendedLifetime(strong) {}
      }
    }
    #expect(captured != nil)
    work.cancel()
    #expect(captured == nil)
  }

  @Test("EventScheduler: isCurrent is true inside scheduled work", arguments: Kind.allCases)
  func isCurrent(_ kind: Kind) async {
    let subject = Subject(kind)
    let trace = Trace()
    subject.scheduler.schedule { trace.add(subject.scheduler.isCurrent ? 1 : 0) }
    subject.scheduler.schedule(at: subject.after(5)) {
      trace.add(subject.scheduler.isCurrent ? 1 : 0)
    }
    await subject.reach(subject.after(20))
    #expect(trace.all == [1, 1])
  }

  @Test("DispatchQueue: isCurrent is true on the queue and on queues that target it, false elsewhere")
  func isCurrentOnTargetQueues() {
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

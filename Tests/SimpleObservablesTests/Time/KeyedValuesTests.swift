import Dispatch
import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// The newest value of each key, in virtual time.
struct KeyedValuesTests {
  private let scheduler: TestScheduler = TestScheduler()
  private let subject: PublishSubject<Int> = PublishSubject()
  private let log: Log = Log()

  /// Logs events with their instants. The events are values that are coalesced by their remainder.
  private func timed(_ policy: CoalescingPolicy, by count: Int = 3) -> any SimpleEventToken {
    subject.coalesced(by: { $0 % count }, on: scheduler, policy: policy).subscribe(
      onNext: { log.add("\(scheduler.milliseconds) \($0)") },
      onError: { log.add("\(scheduler.milliseconds) error \($0)") },
      onDone: { log.add("\(scheduler.milliseconds) done") })
  }

  @Test("K1, coalesced(by:): each key has a window of its own")
  func windows() {
    let token = timed(.debounce(.milliseconds(10)))
    for (instant, value) in [(0, 3), (4, 6), (5, 1), (9, 9), (40, 2)] {
      scheduler.at(instant) { [subject] in subject.update(value) }
    }
    scheduler.run()
    #expect(log.entries == ["15 1", "19 9", "50 2"])
    token.remove()
  }

  @Test("K1, coalesced(by:): agrees with a separate operator for each key", arguments: Policies.all)
  func agreement(_ policy: CoalescingPolicy) {
    for seed in Stress.seeds(500) {
      var random = SeededGenerator(seed: seed)
      let (together, apart) = (Log(), Log())
      let subject = PublishSubject<Int>()
      let bag = DisposeBag()
      subject.coalesced(by: { $0 % 3 }, on: scheduler, policy: policy)
        .subscribe { together.add("\(scheduler.milliseconds) \($0)") }.disposed(by: bag)
      for key in 0..<3 {
        subject.filter { $0 % 3 == key }.coalesced(on: scheduler, policy: policy)
          .subscribe { apart.add("\(scheduler.milliseconds) \($0)") }.disposed(by: bag)
      }
      for _ in 0..<12 {
        subject.update(Int.random(in: 0..<30, using: &random))
        scheduler.advance(by: .milliseconds([0, 1, 4, 10, 11].randomElement(using: &random)!))
      }
      scheduler.advance(by: .milliseconds(100))
      // The keys of two separate operators have no common order if they are due at one instant.
      guard together.entries.sorted() != apart.entries.sorted() else { continue }
      Issue.record("seed \(seed): \(together.entries), apart \(apart.entries)")
      return
    }
  }

  @Test("V4, coalesced(by:): pending values are sent before the end, on the next turn")
  func end() {
    let token = timed(.debounce(.milliseconds(10)))
    for value in [1, 2, 4] { subject.update(value) }
    subject.finish()
    #expect(log.entries == [])
    scheduler.run()
    #expect(log.entries == ["0 4", "0 2", "0 done"])
    token.remove()
  }

  @Test("V1, V4, coalesced(by:): values and the end that are sent in a delivery are delivered after it")
  func nestedEnd() {
    let observable = subject.coalesced(by: { $0 % 2 }, on: scheduler, policy: .debounce(.milliseconds(10)))
    let token = observable.subscribe(
      onNext: { value in
        log.add("\(value)")
        if value == 1 {
          subject.update(3)
          subject.update(2)
          subject.finish()
        }
        log.add("\(value) returns")
      }, onDone: { log.add("done") })
    subject.update(1)
    scheduler.run()
    #expect(log.entries == ["1", "1 returns", "3", "3 returns", "2", "2 returns", "done"])
    token.remove()
  }

  @Test("V4, coalesced(by:): an error drops pending values")
  func error() {
    let token = timed(.audit(.milliseconds(10)))
    subject.update(1)
    subject.fail(Broken())
    scheduler.run()
    #expect(log.entries == ["0 error broken"])
    token.remove()
  }

  @Test(
    "S7, V9, coalesced(by:): the loss of the scheduler ends a loop over values",
    arguments: ["value", "finish", "fail"])
  func loss(_ signal: String) throws {
    actor Owner {}
    var owner: Owner? = Owner()
    let onActor = ActorScheduler(owner!, clock: scheduler)
    owner = nil
    scheduler.at(1) { [subject] in
      switch signal {
      case "value": subject.update(1)
      case "finish": subject.finish()
      default: subject.fail(Broken())
      }
    }
    try scheduler.run { [subject] in
      for try await _ in subject.coalesced(by: { $0 }, on: onActor, policy: .nextTurn).values {}
    }
  }

  @Test("E6, coalesced(by:): a removal drops pending values and the timer", arguments: [false, true])
  func removal(_ hasEnded: Bool) {
    let token = timed(.debounce(.milliseconds(10)))
    for value in [1, 2] { subject.update(value) }
    if hasEnded { subject.finish() }
    token.remove()
    #expect(scheduler.pendingCount == (hasEnded ? 1 : 0))
    scheduler.run()
    #expect(log.entries == [])
  }

  @Test("V7, coalesced(by:): values and keys that were delivered are released")
  func release() {
    final class Object: Sendable {
      let log: Log

      init(_ log: Log) { self.log = log }

      deinit { log.add("released") }
    }
    let subject = PublishSubject<Object>()
    let observable = subject.coalesced(
      by: { ObjectIdentifier($0) }, on: scheduler, policy: .throttle(.milliseconds(10)))
    let token = observable.subscribe { _ in log.add("value") }
    subject.update(Object(log))
    #expect(log.entries == [])
    scheduler.advance(by: .zero)
    #expect(log.entries == ["value"])
    // The subject keeps its newest value.
    subject.update(Object(log))
    #expect(log.entries == ["value", "released"])
    token.remove()
  }

  @Test("E9, coalesced(by:): a function of an actor is flagged off that actor", .enabled(if: isDebug))
  func isolation() async {
    await #expect(processExitsWith: .failure) {
      let subject = PublishSubject<Int>()
      let observable = subject.coalesced(
        by: { @MainActor value in value }, on: TestScheduler(), policy: .nextTurn)
      let token = observable.subscribe { _ in }
      await Task.detached { subject.update(1) }.value
      token.remove()
    }
  }

  @Test("V2, coalesced(by:): on a concurrent queue, the end follows a value that is being delivered")
  func endDuringDelivery() {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let (isDelivering, mayReturn, hasEnded) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let token = subject.coalesced(by: { $0 }, on: queue, policy: .nextTurn).subscribe(
      onNext: { [log] value in
        isDelivering.signal()
        mayReturn.wait()
        log.add("\(value)")
      },
      onDone: { [log] in
        log.add("done")
        hasEnded.signal()
      })
    subject.update(1)
    isDelivering.wait()
    subject.finish()
    // The queue has turns while the value is being delivered.
    let hasTurn = DispatchSemaphore(value: 0)
    for _ in 0..<10 {
      queue.async { hasTurn.signal() }
      hasTurn.wait()
    }
    mayReturn.signal()
    hasEnded.wait()
    #expect(log.entries == ["1", "done"])
    token.remove()
  }
}

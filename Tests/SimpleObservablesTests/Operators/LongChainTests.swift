import Foundation
import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// Chains of many operators, on a stack of 8 MiB.
@Suite struct LongChainTests {
  /// An operator that changes nothing.
  enum Link: CaseIterable {
    case map, filter, skip, take, removeDuplicates, withPrevious, flatMap, flatMapLatest, merge, combineLatest
    case combineLatestOfMany, zip, shared, readOnly, observe, coalesced, sample

    func lengthen(_ chain: Observable<Int>, on scheduler: TestScheduler) -> Observable<Int> {
      switch self {
      case .map: chain.map { $0 }
      case .filter: chain.filter { _ in true }
      case .skip: chain.skip(0)
      case .take: chain.take(10)
      case .removeDuplicates: chain.removeDuplicates()
      case .withPrevious: chain.withPrevious().map(\.value)
      case .flatMap: chain.flatMap { .just($0) }
      case .flatMapLatest: chain.flatMapLatest { .just($0) }
      case .merge: .merge(chain, .empty())
      case .combineLatest: Observable.combineLatest(chain, Variable(0)).map { $0.0 }
      case .combineLatestOfMany: Observable.combineLatest([chain]).map { $0[0] }
      case .zip: Observable.zip(chain, ReplaySubject<Int>.ofThree()).map { $0.0 }
      case .shared: chain.shared()
      case .readOnly: chain.filter { _ in true }.asObservable()
      case .observe: chain.observe(on: scheduler)
      case .coalesced: chain.coalesced(on: scheduler, policy: .nextTurn)
      case .sample: chain.sample(every: .nanoseconds(1), on: scheduler)
      }
    }

    var isOnScheduler: Bool { self == .observe || self == .coalesced || self == .sample }
  }

  @Test("V8: a chain of 20,000 operators works", arguments: Link.allCases)
  func works(link: Link) {
    let seen = onSmallStack { () -> [Int] in
      let scheduler = TestScheduler()
      let subject = PublishSubject<Int>()
      var chain: Observable<Int> = subject
      for _ in 0..<20_000 { chain = link.lengthen(chain, on: scheduler) }
      var seen: [Int] = []
      let token = chain.subscribe { seen.append($0) }
      subject.update(1)
      subject.update(2)
      if link.isOnScheduler { scheduler.advance(by: .seconds(1)) }
      token.remove()
      subject.update(3)
      return seen
    }
    #expect(seen == (link == .coalesced || link == .sample ? [2] : [1, 2]))
  }

  @Test(
    "V8: a chain of 100,000 operators can be released",
    arguments: [Link.map, .flatMap, .merge, .combineLatestOfMany, .shared, .observe])
  func release(link: Link) {
    let isReleased = onSmallStack { () -> Bool in
      let scheduler = TestScheduler()
      weak var source: PublishSubject<Int>?
      do {
        let subject = PublishSubject<Int>()
        source = subject
        var chain: Observable<Int> = subject
        for _ in 0..<100_000 { chain = link.lengthen(chain, on: scheduler) }
      }
      return source == nil
    }
    #expect(isReleased)
  }

  @Test(
    "V8: a chain of 100,000 operators passes values and the end on, and is released with its subscription")
  func subscribed() {
    let (seen, isReleased) = onSmallStack { () -> ([String], Bool) in
      weak var source: PublishSubject<Int>?
      var seen: [String] = []
      do {
        let subject = PublishSubject<Int>()
        source = subject
        var chain: Observable<Int> = subject
        for _ in 0..<100_000 { chain = chain.map { $0 + 1 } }
        let token = chain.subscribe(
          onNext: { seen.append("\($0)") }, onDone: { seen.append("end") })
        subject.update(1)
        subject.finish()
        withExtendedLifetime(token) {}
      }
      return (seen, source == nil)
    }
    #expect(seen == ["100001", "end"])
    #expect(isReleased)
  }

  @Test("V8: variables that are derived from one another, 20,000 at a time")
  func derivedVariables() {
    let (values, seen) = onSmallStack { () -> ([Int], [Int]) in
      let variable = Variable(0)
      var derived = variable.map { $0 + 1 }
      for _ in 1..<20_000 { derived = derived.map { $0 + 1 } }
      var seen: [Int] = []
      let token = derived.subscribe { seen.append($0) }
      let first = derived.value
      variable.value = 5
      token.remove()
      return ([first, derived.value], seen)
    }
    #expect(values == [20_000, 20_005])
    #expect(seen == [20_000, 20_005])
  }

  @Test("V1, V8: nested updates through a long chain arrive in order")
  func nested() {
    let seen = onSmallStack { () -> [Int] in
      let subject = PublishSubject<Int>()
      var chain: Observable<Int> = subject
      for _ in 0..<5_000 { chain = chain.map { $0 } }
      var seen: [Int] = []
      let token = chain.subscribe { value in
        seen.append(value)
        if value < 3 { subject.update(value + 1) }
        seen.append(-value)
      }
      subject.update(1)
      withExtendedLifetime(token) {}
      return seen
    }
    #expect(seen == [1, -1, 2, -2, 3, -3])
  }

  @Test("V8: a subscription to a second long chain, made by a subscriber, misses no value")
  func chainInChain() {
    let seen = onSmallStack { () -> [Int] in
      let (subject, other) = (PublishSubject<Int>(), PublishSubject<Int>())
      func chain(_ source: Observable<Int>, of count: Int) -> Observable<Int> {
        (0..<count).reduce(source) { chain, _ in chain.map { $0 } }
      }
      let (first, second) = (chain(subject, of: 2_000), chain(other, of: 2_000))
      var seen: [Int] = []
      let bag = DisposeBag()
      first.subscribe { value in
        second.subscribe { seen.append($0) }.disposed(by: bag)
        other.update(value)
        seen.append(0)
      }.disposed(by: bag)
      subject.update(1)
      seen.append(-1)
      return seen
    }
    // A subscriber of the second chain is called after the one of the first chain, and before the update returns.
    #expect(seen == [0, 1, -1])
  }

  @Test("E6, V8: a subscriber of a long chain that is removed during a delivery receives no more")
  func removal() {
    let seen = onSmallStack { () -> [Int] in
      let subject = PublishSubject<Int>()
      let chain = (0..<5_000).reduce(subject as Observable<Int>) { chain, _ in chain.map { $0 } }
      var seen: [Int] = []
      var second: (any SimpleEventToken)?
      let first = chain.subscribe { value in
        seen.append(value)
        second?.remove()
      }
      second = chain.subscribe { seen.append(-$0) }
      subject.update(1)
      subject.update(2)
      first.remove()
      return seen
    }
    #expect(seen == [1, 2])
  }
}

/// Runs a function on a thread of its own with a stack of 8 MiB.
private func onSmallStack<Result>(_ body: @escaping () -> Result) -> Result {
  // SAFETY: this thread waits while the other one uses the two variables.
  nonisolated(unsafe) let body = body
  nonisolated(unsafe) var result: Result?
  let hasEnded = DispatchSemaphore(value: 0)
  let thread = Thread {
    result = body()
    hasEnded.signal()
  }
  thread.stackSize = 8 << 20
  thread.start()
  hasEnded.wait()
  return result!
}

extension ReplaySubject where Value == Int {
  /// A partner for the first values of a zip.
  fileprivate static func ofThree() -> ReplaySubject<Int> {
    let subject = ReplaySubject<Int>(bufferSize: 3)
    for number in 0..<3 { subject.update(number) }
    return subject
  }
}

import Foundation
import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// Chains of operators on a thread with a stack of 512 KiB.
struct DepthTests {
  /// An operator that changes nothing.
  enum Link: CaseIterable {
    case map, filter, skip, take, removeDuplicates, withPrevious, readOnly, shared, flatMap, flatMapLatest
    case compactMap, scan, startWith, concatMap, withLatestFrom, `catch`, retry, mergeIndexed
    case merge, combineLatest, combineLatestOfMany, zip, observe, coalesced, sample

    func lengthen(_ chain: Observable<Int>, on scheduler: TestScheduler) -> Observable<Int> {
      switch self {
      case .map: chain.map { $0 }
      case .filter: chain.filter { _ in true }
      case .skip: chain.skip(0)
      case .take: chain.take(10)
      case .removeDuplicates: chain.removeDuplicates()
      case .withPrevious: chain.withPrevious().map(\.value)
      case .readOnly: chain.filter { _ in true }.asObservable()
      case .shared: chain.shared()
      case .flatMap: chain.flatMap { .just($0) }
      case .flatMapLatest: chain.flatMapLatest { .just($0) }
      case .compactMap: chain.compactMap { $0 }
      case .scan: chain.scan(0) { $1 }
      case .startWith: chain.startWith()
      case .concatMap: chain.concatMap { .just($0) }
      case .withLatestFrom: chain.withLatestFrom(.just(0)).map { $0.0 }
      case .catch: chain.catch { _ in .empty() }
      case .retry: chain.retry(1)
      case .mergeIndexed: Observable.mergeIndexed([chain]).map(\.value)
      case .merge: .merge(chain, .empty())
      case .combineLatest: Observable.combineLatest(chain, .just(0)).map { $0.0 }
      case .combineLatestOfMany: Observable.combineLatest([chain]).map { $0[0] }
      case .zip: Observable.zip(chain, ReplaySubject<Int>.ofThree()).map { $0.0 }
      case .observe: chain.observe(on: scheduler)
      case .coalesced: chain.coalesced(on: scheduler, policy: .nextTurn)
      case .sample: chain.sample(every: .nanoseconds(1), on: scheduler)
      }
    }

    /// The number of links in a long chain: 1,000 for operators that handle each value of one source
    /// immediately.
    var length: Int {
      switch self {
      case .map, .filter, .skip, .take, .removeDuplicates, .readOnly, .compactMap, .scan, .startWith: 1_000
      case .withPrevious: 500
      default: 200
      }
    }

    /// The values that arrive if two values are sent before the scheduler runs.
    var passed: [String] { self == .coalesced || self == .sample ? ["2"] : ["1", "2"] }
  }

  @Test(
    "V8: a long chain is connected, passes values and the end, and is released", arguments: Link.allCases)
  func passes(link: Link) {
    let (seen, isReleased) = onSmallStack { () -> ([String], Bool) in
      let scheduler = TestScheduler()
      weak var source: PublishSubject<Int>?
      var seen: [String] = []
      do {
        let subject = PublishSubject<Int>()
        source = subject
        let chain = (0..<link.length).reduce(subject as Observable<Int>) { chain, _ in
          link.lengthen(chain, on: scheduler)
        }
        let token = chain.subscribe(onNext: { seen.append("\($0)") }, onDone: { seen.append("end") })
        subject.update(1)
        subject.update(2)
        scheduler.advance(by: .seconds(1))
        subject.finish()
        scheduler.advance(by: .seconds(1))
        withExtendedLifetime(token) {}
      }
      return (seen, source == nil)
    }
    #expect(seen == link.passed + ["end"])
    #expect(isReleased)
  }

  @Test("E6, V8: a removal disconnects a long chain", arguments: Link.allCases)
  func removal(link: Link) {
    let (seen, disconnections) = onSmallStack { () -> ([Int], Int) in
      let scheduler = TestScheduler()
      let subject = PublishSubject<Int>()
      var disconnections = 0
      let source = Observable<Int>.create { observer in
        let token = subject.subscribe { observer.next($0) }
        return {
          disconnections += 1
          token.remove()
        }
      }
      let chain = (0..<link.length).reduce(source) { chain, _ in link.lengthen(chain, on: scheduler) }
      var seen: [Int] = []
      let token = chain.subscribe { seen.append($0) }
      subject.update(1)
      scheduler.advance(by: .seconds(1))
      token.remove()
      subject.update(2)
      scheduler.advance(by: .seconds(1))
      return (seen, disconnections)
    }
    #expect(seen == [1])
    #expect(disconnections == 1)
  }

  @Test(
    "V8: a long chain takes the value that a variable sends while it is connected", arguments: [true, false])
  func variable(isSimple: Bool) {
    let seen = onSmallStack { () -> [Int] in
      let variable = Variable(1)
      // A `combineLatest` of four observables counts as three operators, and is followed by a `map`.
      let chain = (0..<(isSimple ? 900 : 65)).reduce(variable.asObservable()) { chain, _ in
        isSimple
          ? chain.map { $0 }
          : Observable.combineLatest(chain, .just(0), .just(0), .just(0)).map { value, _, _, _ in value }
      }
      var seen: [Int] = []
      let token = chain.subscribe { seen.append($0) }
      variable.value = 2
      withExtendedLifetime(token) {}
      return seen
    }
    #expect(seen == [1, 2])
  }

  @Test("V8: 200 variables that are derived from one another follow the first variable")
  func derivedVariables() {
    let (values, seen) = onSmallStack { () -> ([Int], [Int]) in
      let variable = Variable(0)
      var derived = variable.map { $0 + 1 }
      for _ in 1..<200 { derived = derived.map { $0 + 1 } }
      var seen: [Int] = []
      let token = derived.subscribe { seen.append($0) }
      let first = derived.value
      variable.value = 5
      token.remove()
      return ([first, derived.value], seen)
    }
    #expect(values == [200, 205])
    #expect(seen == [200, 205])
  }

  @Test("V1, V8: nested updates through a long chain arrive in order")
  func nested() {
    let seen = onSmallStack { () -> [Int] in
      let subject = PublishSubject<Int>()
      let chain = (0..<1_000).reduce(subject as Observable<Int>) { chain, _ in chain.map { $0 } }
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
}

/// Runs a function on a thread of its own that has a stack of 512 KiB.
private func onSmallStack<Result>(_ body: @escaping () -> Result) -> Result {
  // SAFETY: this thread waits while the other thread uses the two variables.
  nonisolated(unsafe) let body = body
  nonisolated(unsafe) var result: Result?
  let hasEnded = DispatchSemaphore(value: 0)
  let thread = Thread {
    result = body()
    hasEnded.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  hasEnded.wait()
  return result!
}

extension ReplaySubject where Value == Int {
  /// Returns a subject that replays three values, as the second source of a zip.
  fileprivate static func ofThree() -> ReplaySubject<Int> {
    let subject = ReplaySubject<Int>(bufferSize: 3)
    for number in 0..<3 { subject.update(number) }
    return subject
  }
}

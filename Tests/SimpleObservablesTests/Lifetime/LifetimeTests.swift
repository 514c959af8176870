import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// The lifetimes of observables, tokens and subscribers.
///
/// The release of a token removes its subscription, as for all tokens of this package.
struct LifetimeTests {
  @Test("Observable: is deallocated when its last reference is released")
  func observable() {
    weak var weakObservable: Observable<Int>?
    do {
      let observable = Observable<Int>.create { _ in {} }
      weakObservable = observable
    }
    #expect(weakObservable == nil)
  }

  @Test("Observable: is deallocated with its last reference, although it has a subscriber")
  func subscribedObservable() {
    weak var weakObservable: Observable<Int>?
    let token: any SimpleEventToken
    do {
      let observable = Observable<Int>.create { _ in {} }
      weakObservable = observable
      token = observable.subscribe { _ in }
    }
    #expect(weakObservable == nil)
    token.remove()
  }

  @Test("Observable: a chain is deallocated with its last reference, although it has a subscriber")
  func subscribedChain() {
    weak var weakUpstream: Observable<Int>?
    weak var weakDownstream: Observable<Int>?
    let token: any SimpleEventToken
    do {
      let upstream = Observable<Int>.create { _ in {} }
      let downstream = upstream.map { $0 * 2 }.filter { $0 > 0 }
      weakUpstream = upstream
      weakDownstream = downstream
      token = downstream.subscribe { _ in }
    }
    #expect(weakUpstream == nil)
    #expect(weakDownstream == nil)
    token.remove()
  }

  @Test("Observable: the downstream observable keeps its upstream alive")
  func upstream() {
    weak var weakUpstream: Observable<Int>?
    let downstream: Observable<Int>
    do {
      let upstream = Observable<Int>.create { _ in {} }
      weakUpstream = upstream
      downstream = upstream.map { $0 * 2 }
    }
    #expect(weakUpstream != nil)
    withExtendedLifetime(downstream) {}
  }

  @Test("E5: a token keeps neither the observable nor the closure of the subscriber alive")
  func token() {
    weak var weakObservable: Observable<Int>?
    weak var weakCanary: Canary?
    let token: any SimpleEventToken
    do {
      let canary = Canary()
      weakCanary = canary
      // The source does not keep its observer alive.
      let observable = Observable<Int>.create { _ in {} }
      weakObservable = observable
      token = observable.map { $0 }.subscribe { _ in withExtendedLifetime(canary) {} }
    }
    #expect(weakObservable == nil)
    #expect(weakCanary == nil)
    token.remove()
  }

  @Test("E5: the release of a token removes its subscription")
  func releasedToken() {
    let subject = PublishSubject<Int>()
    let log = Log()
    do {
      let token = subject.log(into: log)
      subject.update(1)
      withExtendedLifetime(token) {}
    }
    subject.update(2)
    #expect(log.entries == ["1"])
  }

  @Test("E5: removing a token releases the closures of the subscriber, although the token is kept")
  func removedToken() {
    let subject = PublishSubject<Int>()
    weak var weakCanary: Canary?
    let token: any SimpleEventToken
    do {
      let canary = Canary()
      weakCanary = canary
      token = subject.map { $0 }.withPrevious().subscribe { _ in withExtendedLifetime(canary) {} }
    }
    #expect(weakCanary != nil)
    token.remove()
    #expect(weakCanary == nil)
  }

  @Test(
    "V4: the end releases the closures of the subscriber and of its upstream, although the token is kept",
    arguments: ["finish", "fail", "deinit"])
  func end(end: String) {
    var subject: PublishSubject<Int>? = PublishSubject()
    weak var weakCanary: Canary?
    let token: (any SimpleEventToken)?
    do {
      let canary = Canary()
      weakCanary = canary
      token = subject?.map { value in withExtendedLifetime(canary) { value } }.subscribe { _ in
        withExtendedLifetime(canary) {}
      }
    }
    #expect(weakCanary != nil)
    switch end {
    case "finish": subject?.finish()
    case "fail": subject?.fail(Broken())
    default: subject = nil
    }
    #expect(weakCanary == nil)
    token?.remove()
  }

  @Test("V5: no operator keeps its source or its closures alive")
  func operators() {
    let scheduler = TestScheduler()
    let operators: [(String, (Observable<Int>) -> Observable<Int>)] = [
      ("map", { $0.map { $0 } }), ("filter", { $0.filter { _ in true } }), ("skip", { $0.skip(0) }),
      ("take", { $0.take(5) }), ("distinct", { $0.removeDuplicates() }),
      ("withPrevious", { $0.withPrevious().map(\.value) }), ("flatMap", { $0.flatMap { .just($0) } }),
      ("flatMapLatest", { source in source.flatMapLatest { _ in source } }), ("shared", { $0.shared() }),
      ("merge", { .merge($0, $0) }), ("combineLatest", { .combineLatest($0, $0).map { $0 + $1 } }),
      ("combineLatest of many", { .combineLatest([$0, $0]).map { $0[0] } }),
      ("zip", { .zip($0, $0).map { $0 + $1 } }),
      ("compactMap", { $0.compactMap { $0 } }), ("scan", { $0.scan(0) { $0 + $1 } }),
      ("startWith", { $0.startWith(1) }),
      ("concatMap", { source in source.concatMap { _ in source.take(1) } }),
      ("withLatestFrom", { $0.withLatestFrom($0).map { $0 + $1 } }),
      ("catch", { source in source.catch { _ in source } }), ("retry", { $0.retry(2) }),
      ("mergeIndexed", { .mergeIndexed([$0, $0]).map(\.value) }),
      ("coalesced", { $0.coalesced(on: scheduler, policy: .debounce(.seconds(1))) }),
      ("sample", { $0.sample(every: .seconds(1), on: scheduler) }),
      ("observe", { $0.observe(on: scheduler) }), ("asObservable", { $0.asObservable() }),
    ]
    for (name, apply) in operators {
      for end in ["remove", "release", "finish", "fail", "take"] {
        weak var weakSource: PublishSubject<Int>?
        weak var weakCanary: Canary?
        do {
          let canary = Canary()
          let source = PublishSubject<Int>()
          weakCanary = canary
          weakSource = source
          var chain = apply(source.map { value in withExtendedLifetime(canary) { value } })
          if end == "take" { chain = chain.take(1) }
          let token = chain.subscribe { _ in withExtendedLifetime(canary) {} }
          source.update(1)
          source.update(2)
          switch end {
          case "remove": token.remove()
          case "finish": source.finish()
          case "fail": source.fail(Broken())
          default: break
          }
          withExtendedLifetime(token) {}
        }
        scheduler.run()
        #expect(weakSource == nil, "\(name), \(end)")
        #expect(weakCanary == nil, "\(name), \(end)")
      }
    }
    #expect(scheduler.pendingCount == 0)
  }
}

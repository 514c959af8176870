import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// Who keeps whom alive, and for how long.
///
/// A token that is let go unsubscribes, like every token of this package: dropping it by mistake shows at
/// once, where a subscription that outlives its owner shows as a leak.
@Suite struct LifetimeTests {
  @Test func `an observable is freed when it is dropped`() {
    weak var weakObservable: Observable<Int>?
    do {
      let observable = Observable<Int>.create { _ in {} }
      weakObservable = observable
    }
    #expect(weakObservable == nil)
  }

  @Test func `an observable is freed when it is dropped, also while it is subscribed to`() {
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

  @Test func `both are freed when they are dropped while subscribed through an operator`() {
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

  @Test func `downstream keeps upstream alive`() {
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

  @Test func `a token keeps neither the observable nor the subscriber's closure alive`() {
    weak var weakObservable: Observable<Int>?
    weak var weakCanary: Canary?
    let token: any SimpleEventToken
    do {
      let canary = Canary()
      weakCanary = canary
      // The source does not keep its observer either.
      let observable = Observable<Int>.create { _ in {} }
      weakObservable = observable
      token = observable.map { $0 }.subscribe { _ in withExtendedLifetime(canary) {} }
    }
    #expect(weakObservable == nil)
    #expect(weakCanary == nil)
    token.remove()
  }

  @Test func `a token that is let go unsubscribes`() {
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

  @Test func `a token that is removed lets go of the subscriber's closures, though it is kept`() {
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

  @Test(arguments: ["finish", "fail", "deinit"])
  func `the end lets go of the subscriber's closures and all upstream, though the token is kept`(end: String)
  {
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

  @Test func `no operator leaks`() {
    let scheduler = TestScheduler()
    let operators: [(String, (Observable<Int>) -> Observable<Int>)] = [
      ("map", { $0.map { $0 } }), ("filter", { $0.filter { _ in true } }), ("skip", { $0.skip(0) }),
      ("take", { $0.take(5) }), ("distinct", { $0.distinct() }),
      ("withPrevious", { $0.withPrevious().map(\.value) }), ("flatMap", { $0.flatMap { .just($0) } }),
      ("flatMapLatest", { source in source.flatMapLatest { _ in source } }), ("shared", { $0.shared() }),
      ("merge", { .merge($0, $0) }), ("combineLatest", { .combineLatest($0, $0).map { $0 + $1 } }),
      ("combineLatest of many", { .combineLatest([$0, $0]).map { $0[0] } }),
      ("zip", { .zip($0, $0).map { $0 + $1 } }),
      ("coalesced", { $0.coalesced(on: scheduler, policy: .debounce(.seconds(1))) }),
      ("sample", { $0.sample(every: .seconds(1), on: scheduler) }),
      ("observe", { $0.observe(on: scheduler) }), ("asObservable", { $0.asObservable() }),
    ]
    for (name, apply) in operators {
      for end in ["remove", "let go", "finish", "fail", "take"] {
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

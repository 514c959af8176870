internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// Two threads remove one subscription. One of them then sends.
private let subscriptionRemovals: Scenario = Scenario("subscription-two-removals", "E5") {
  let subject = PublishSubject<Int>()
  let removed = Counter()
  let token = subject.subscribe { (_: Int) in
    expect(
      removed.value == 0,
      "E5: after the removal has returned on the delivering thread the block is not called")
  }
  parallel(
    { token.remove() },
    {
      token.remove()
      removed.value = 1
      subject.update(1)
    })
}

/// Two threads empty one bag. One of them then sends.
private let bagRemovals: Scenario = Scenario("bag-two-removals", "E5") {
  let subject = PublishSubject<Int>()
  let bag = DisposeBag()
  let removed = Counter()
  subject.subscribe { (_: Int) in
    expect(
      removed.value == 0,
      "E5: after the removal has returned on the delivering thread the block is not called")
  }.disposed(by: bag)
  parallel(
    { bag.disposeAll() },
    {
      bag.disposeAll()
      removed.value = 1
      subject.update(1)
    })
}

/// Two threads remove one disposable.
private let disposableRemovals: Scenario = Scenario("disposable-two-removals", "E5 V5") {
  let alive = Counter()
  let runs = Counter()
  var disposable: Disposable?
  do {
    let captured = LeakCheckedObject(alive)
    disposable = Disposable {
      expectUnlocked()
      withExtendedLifetime(captured) { runs.value += 1 }
    }
  }
  parallel(
    { disposable?.remove() },
    { disposable?.remove() })
  expect(runs.value == 1, "V5: a disposable runs its closure once")
  expect(alive.value == 0, "E5: a removal releases the captures of the closure")
  disposable = nil
}

/// One thread removes a closure while another thread calls it.
private let closureRemoval: Scenario = Scenario("closure-removal", "E5 H5") {
  let alive = Counter()
  var closure: Closure<() -> Void>?
  do {
    let captured = LeakCheckedObject(alive)
    closure = Closure {
      expectUnlocked()
      withExtendedLifetime(captured) { step() }
    }
  }
  parallel(
    { closure?.remove() },
    { closure?.closure?() })
  expect(closure?.closure == nil, "E5: a removed closure is not called again")
  expect(alive.value == 0, "E5: a removal releases the captures of the closure")
  closure = nil
}

/// A token that counts its removals.
// SAFETY: all fibers run on one thread.
private final class CountingToken: SimpleEventToken, @unchecked Sendable {
  private(set) var removals: Int = 0

  func remove() {
    expectUnlocked()
    removals += 1
    step()
  }
}

/// Two threads empty one bag, and one of them then adds another token to the bag.
private let bagAddition: Scenario = Scenario("bag-addition-between-removals", "E5") {
  let bag = DisposeBag()
  let tokens = (CountingToken(), CountingToken())
  bag.add(tokens.0)
  parallel(
    { bag.disposeAll() },
    {
      bag.disposeAll()
      bag.add(tokens.1)
    })
  bag.disposeAll()
  expect(tokens.0.removals >= 1, "E5: a bag removes each token")
  expect(tokens.1.removals >= 1, "E5: a bag removes each token")
  let count = tokens.0.removals + tokens.1.removals
  bag.disposeAll()
  expect(tokens.0.removals + tokens.1.removals == count, "E5: an emptied bag keeps no token")
}

/// The subscription to a flat map is removed while its source sends.
private func flatMapRemoval(
  _ name: String, by transform: @escaping @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>
) -> Scenario {
  Scenario("flat-map\(name)-removal", "E5 V5") {
    let outer = PublishSubject<Int>()
    let inner = Source()
    let subscriber = Subscriber()
    let token = transform(outer, inner.observable).subscribe(onNext: subscriber.take)
    parallel(
      { outer.update(1) },
      { token.remove() })
    expect(inner.open == 0, "V5: a removed subscription leaves no source connected")
    inner.subject.update(2)
    expect(subscriber.values == [], "E5: a removed subscription delivers nothing")
  }
}

/// Ticks fire while the subscription to them begins on another thread. The subscription is removed between
/// two ticks.
private func ticksRemoval(_ kind: QueueKind) -> Scenario {
  Scenario("ticks-removal-\(kind)", "C4 E6 S2") {
    let scheduler = CountedQueue(kind.make())
    let subscriber = Subscriber()
    let ticks = Observable.ticks(every: .milliseconds(10), on: scheduler)
    var token: (any SimpleEventToken)?
    parallel({ token = ticks.subscribe { subscriber.take(Int($0.nanoseconds)) } })
    sleep(until: 15)
    token?.remove()
    drain()
    expect(scheduler.armed == 0, "C4: a removal disarms the timer")
    let count = subscriber.values.count
    settle()
    expect(subscriber.values.count == count, "E6: nothing is delivered after a removal")
  }
}

/// Two threads send through the observer of one connection, and one of them ends the connection.
private let createdValues: Scenario = Scenario("create-two-threads", "V1 V2 V4") {
  var observer: Observer<Int>?
  let subscriber = Subscriber()
  let token = Observable<Int>.create {
    observer = $0
    return {}
  }.subscribe(onNext: subscriber.take, onDone: subscriber.end)
  parallel(
    { observer?.next(1) },
    {
      observer?.next(2)
      observer?.finish()
    })
  expect(subscriber.ends == 1, "V4: the end reaches a subscriber once")
  expect(
    [[2], [1, 2], [2, 1]].contains(subscriber.values),
    "V1: a value that precedes the end is delivered once")
  token.remove()
}

/// The scenarios of connections and their removal by subscriptions, other tokens and bags, and of operators
/// that have inner sources or timers.
let subscriptionScenarios: [Scenario] =
  [
    subscriptionRemovals, disposableRemovals, closureRemoval, bagRemovals, bagAddition, createdValues,
    flatMapRemoval("") { outer, inner in outer.flatMap { _ in inner } },
    flatMapRemoval("-latest") { outer, inner in outer.flatMapLatest { _ in inner } },
  ] + QueueKind.allCases.map(ticksRemoval)

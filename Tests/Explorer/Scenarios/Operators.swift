internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// Two threads send to the sources of one observable, and end the sources.
private func combined<Output>(
  _ name: String, _ combine: @escaping @Sendable (Observable<Int>, Observable<Int>) -> Observable<Output>,
  _ encode: @escaping @Sendable (Output) -> Int, check: @escaping @Sendable ([Int]) -> Void
) -> Scenario {
  Scenario("combined-\(name)", "V2 V4") {
    let subjects = (PublishSubject<Int>(), PublishSubject<Int>())
    let subscriber = Subscriber()
    let token = combine(subjects.0, subjects.1).subscribe(
      onNext: { subscriber.take(encode($0)) }, onDone: subscriber.end)
    parallel(
      {
        subjects.0.update(1)
        subjects.0.update(2)
        subjects.0.finish()
      },
      {
        subjects.1.update(10)
        subjects.1.finish()
      })
    check(subscriber.values)
    expect(subscriber.ends == 1, "V4: the end reaches a subscriber once")
    token.remove()
  }
}

private let merged: Scenario = combined("merge", { Observable.merge($0, $1) }, { $0 }) { values in
  expect(values.sorted() == [1, 2, 10], "V4: all values of all sources arrive before the end")
  expect(values.filter { $0 < 10 } == [1, 2], "V1: the values of one source arrive in order")
}

private let latest: Scenario = combined("latest", { Observable.combineLatest($0, $1) }, { $0.0 + $0.1 }) {
  values in
  expect(values.last == 12, "V4: the latest values of all sources arrive before the end")
  expect(values == values.sorted(), "V1: the values of one source arrive in order")
}

private let zipped: Scenario = combined("zip", { Observable.zip($0, $1) }, { $0.0 + $0.1 }) { values in
  expect(values == [11], "V1: values are paired in order")
}

/// An outer source switches to the next inner source while another thread sends to the first one.
private let switching: Scenario = Scenario("combined-flat-map-latest", "V2 V4 V5") {
  let outer = PublishSubject<Int>()
  let inner = (PublishSubject<Int>(), PublishSubject<Int>())
  let subscriber = Subscriber()
  let token = outer.flatMapLatest { $0 == 0 ? inner.0 : inner.1 }.subscribe(onNext: subscriber.take)
  outer.update(0)
  parallel(
    {
      outer.update(1)
      inner.1.update(2)
    },
    { inner.0.update(1) })
  inner.0.update(3)
  expect(!subscriber.values.contains(3), "V5: an earlier source is disconnected")
  expect(
    subscriber.values == [2] || subscriber.values == [1, 2],
    "V1: each value is delivered once, and a value of the latest source comes last")
  token.remove()
}

private let newest: Scenario = combined(
  "with-latest-from", { $0.startWith(0).withLatestFrom($1.startWith(0)) }, { $0.0 * 100 + $0.1 }
) { values in
  expect(values.map { $0 / 100 } == [0, 1, 2], "V4: all values arrive before the end, in order")
  expect(
    values.map { $0 % 100 } == values.map { $0 % 100 }.sorted(), "V1: the other values are taken in order")
}

private let indexed: Scenario = combined(
  "merge-indexed", { Observable.mergeIndexed([$0, $1]) }, { $0.index * 100 + $0.value }
) { values in
  expect(
    values.sorted() == [1, 2, 110], "V4: all values of all sources arrive with the index of their source")
}

/// There are two inner sources. The second is connected when the first has ended on another thread.
private let concatenating: Scenario = Scenario("combined-concat-map", "V1 V2 V4 V5") {
  let outer = PublishSubject<Int>()
  let inner = PublishSubject<Int>()
  let subscriber = Subscriber()
  let token = outer.concatMap { $0 == 0 ? inner : .just($0) }.subscribe(
    onNext: subscriber.take, onDone: subscriber.end)
  outer.update(0)
  parallel(
    {
      outer.update(2)
      outer.update(3)
      outer.finish()
    },
    {
      inner.update(1)
      inner.finish()
    })
  expect(subscriber.values == [1, 2, 3], "V1: the values of one observable follow those of the one before")
  expect(subscriber.ends == 1, "V4: the end follows the last observable")
  token.remove()
}

/// A source fails on one thread while another thread removes the subscription to its retries.
private let retryRemoval: Scenario = Scenario("retry-removal", "E5 V2 V5") {
  var observer: Observer<Int>?
  var connections = (made: 0, removed: 0)
  let subscriber = Subscriber()
  let token = Observable<Int>.create {
    observer = $0
    connections.made += 1
    return { connections.removed += 1 }
  }.retry(1).subscribe(onNext: subscriber.take)
  let first = observer
  parallel(
    {
      first?.next(1)
      first?.fail(CancellationError())
    },
    { token.remove() })
  expect(connections.removed == connections.made, "V5: each connection is removed once")
  observer?.next(2)
  expect(!subscriber.values.contains(2), "E5: a removed subscription delivers nothing")
  observer = nil
}

/// A source fails. The wait for its next subscription ends while another thread removes the subscription.
private func retryWaitRemoval(_ kind: QueueKind) -> Scenario {
  Scenario("retry-wait-removal-\(kind)", "E5 S2 V2 V5") {
    let queue = kind.make()
    var connections = (made: 0, removed: 0, present: 0)
    let alive = Counter()
    var token: (any SimpleEventToken)?
    do {
      let captured = LeakCheckedObject(alive)
      token = Observable<Int>.create { observer in
        connections.made += 1
        connections.present += 1
        expect(connections.present == 1, "V2: one subscription ends before the next one begins")
        if connections.made < 3 { observer.fail(CancellationError()) }
        return {
          connections.removed += 1
          connections.present -= 1
        }
      }.retry(.constant(.milliseconds(1)), on: queue).subscribe { (_: Int) in
        withExtendedLifetime(captured) {}
      }
    }
    parallel({ token?.remove() }, { queue.run { step() } })
    settle()
    expect(connections.made == connections.removed, "V5: each connection is removed once")
    token = nil
    expect(alive.value == 0, "E5: nothing is left of a removed subscription")
  }
}

/// One thread sends to a chain of operators while another thread removes the subscription and the queue
/// delivers.
private func chainRemoval(_ kind: QueueKind) -> Scenario {
  Scenario("chain-removal-\(kind)", "E5 V2") {
    let queue = kind.make()
    let subject = PublishSubject<Int>()
    let alive = Counter()
    let subscriber = Subscriber()
    let removed = Counter()
    var token: (any SimpleEventToken)?
    do {
      let captured = LeakCheckedObject(alive)
      token = subject.map { $0 + 1 }.filter { $0 > 0 }.observe(on: queue).subscribe { value in
        expect(
          removed.value == 0 || kind == .concurrent,
          "E5: after the removal has returned on the delivering thread the block is not called")
        withExtendedLifetime(captured) { subscriber.take(value) }
      }
    }
    parallel(
      { subject.update(1) },
      {
        queue.run {
          token?.remove()
          removed.value = 1
        }
      },
      { token?.remove() })
    settle()
    expect(subscriber.values.count <= 1, "V1: no value is delivered twice")
    expect(alive.value == 0, "E5: a removal releases the captures of the block")
    token = nil
  }
}

/// The newest value is sampled on a queue while two threads send.
private func sampled(_ kind: QueueKind) -> Scenario {
  Scenario("sampled-\(kind)", "C4 V2 V4") {
    let subject = PublishSubject<Int>()
    let subscriber = Subscriber()
    let token = subject.sample(every: .milliseconds(10), on: kind.make())
      .subscribe(onNext: subscriber.take, onDone: subscriber.end)
    parallel(
      { subject.update(1) },
      {
        subject.update(2)
        sleep(until: 12)
        subject.update(3)
      })
    settle()
    expect([1, 3].contains(subscriber.values.last), "C2: the newest value is delivered")
    expect(Set(subscriber.values).count == subscriber.values.count, "V1: no value is delivered twice")
    subject.finish()
    settle()
    expect(subscriber.ends == 1, "V4: the end reaches a subscriber once")
    expect(engine.time.count == 0, "C4: no timer is armed when no value is pending")
    token.remove()
  }
}

/// The scenarios of operators that connect to several sources, at the same time or in turn.
let operatorScenarios: [Scenario] = [
  merged, latest, zipped, switching, newest, indexed, concatenating, retryRemoval,
]

/// The scenarios of chains that deliver on a queue.
let chainScenarios: [Scenario] = QueueKind.allCases.flatMap {
  [chainRemoval($0), sampled($0), retryWaitRemoval($0)]
}

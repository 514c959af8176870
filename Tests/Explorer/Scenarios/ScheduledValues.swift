internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// Ticks are sent on a queue until another thread removes them.
private func ticks(_ kind: QueueKind) -> Scenario {
  Scenario("ticks-\(kind)", "C4 S2 V2") {
    let scheduler = CountedQueue(kind.make())
    let subscriber = Subscriber()
    let token = Observable.ticks(every: .milliseconds(10), on: scheduler)
      .subscribe { subscriber.take(Int($0.nanoseconds)) }
    parallel({
      sleep(until: 20)
      token.remove()
    })
    drain()
    expect(scheduler.armed == 0, "C4: a removal disarms the timer")
    settle()
    expect(subscriber.values == subscriber.values.sorted(), "V2: ticks arrive in order")
  }
}

/// Two threads send values to an operator that delivers them on a queue.
private func delivered(
  _ name: String, _ kind: QueueKind,
  by transform: @escaping @Sendable (Observable<Int>, DispatchQueue) -> Observable<Int>
) -> Scenario {
  Scenario("delivered-\(name)-\(kind)", "C2 V2 V4") {
    let queue = kind.make()
    let subject = PublishSubject<Int>()
    let subscriber = Subscriber()
    let token = transform(subject, queue).subscribe(onNext: subscriber.take, onDone: subscriber.end)
    parallel(
      {
        subject.update(1)
        subject.update(2)
      },
      { subject.update(3) })
    settle()
    expect([2, 3].contains(subscriber.values.last), "C2: the newest value is delivered")
    expect(Set(subscriber.values).count == subscriber.values.count, "V1: no value is delivered twice")
    subject.finish()
    settle()
    expect(subscriber.ends == 1, "V4: the end reaches a subscriber once")
    token.remove()
  }
}

/// A turn of a concurrent queue sends to an observer on that queue while another turn is pending.
private let senderOnQueue: Scenario = Scenario("sender-on-queue", "V1 V2") {
  let queue = QueueKind.concurrent.make()
  let subject = PublishSubject<Int>()
  let subscriber = Subscriber()
  let token = subject.observe(on: queue).subscribe(onNext: subscriber.take)
  queue.run {
    subject.update(1)
    subject.update(2)
  }
  subject.update(3)
  settle()
  expect(subscriber.values.sorted() == [1, 2, 3], "V1: each value is delivered once")
  expect(subscriber.values.filter { $0 < 3 } == [1, 2], "V1: the values of one thread arrive in order")
  token.remove()
}

/// A source ends while the queue delivers its values.
private func deliveredEnd(
  _ name: String, _ kind: QueueKind,
  by transform: @escaping @Sendable (Observable<Int>, DispatchQueue) -> Observable<Int>
) -> Scenario {
  Scenario("ended-\(name)-\(kind)", "V2 V4") {
    let queue = kind.make()
    let subject = PublishSubject<Int>()
    let subscriber = Subscriber()
    let token = transform(subject, queue).subscribe(onNext: subscriber.take, onDone: subscriber.end)
    subject.update(1)
    parallel(
      {
        subject.update(2)
        subject.finish()
      },
      { queue.run { step() } })
    settle()
    expect(subscriber.ends == 1, "V4: the end reaches a subscriber once")
    expect(subscriber.values.last == 2, "V4: the end follows all earlier values")
    expect(Set(subscriber.values).count == subscriber.values.count, "V1: no value is delivered twice")
    token.remove()
  }
}

/// Two threads and work on the queue send to an observer. Its scheduler does not know whether the caller is
/// on the queue.
private func unknownPlace(_ kind: QueueKind) -> Scenario {
  Scenario("unknown-place-\(kind)", "S6 V1 V2 V4 V9") {
    let queue = kind.make()
    let subject = PublishSubject<Int>()
    let subscriber = Subscriber()
    var senders: Set<Int> = []
    func take(_ body: () -> Void) {
      expect(queue.isCurrent, "V9: a value is delivered on the scheduler")
      expect(
        !senders.contains(engine.current),
        "V9: a value is not delivered inside the call that sends it")
      body()
    }
    func send(_ body: () -> Void) {
      senders.insert(engine.current)
      body()
      senders.remove(engine.current)
    }
    let token = subject.observe(on: UnknowingScheduler(queue)).subscribe(
      onNext: { value in take { subscriber.take(value) } }, onDone: { take { subscriber.end() } })
    parallel(
      {
        send {
          subject.update(1)
          subject.update(2)
        }
      },
      { queue.run { send { subject.update(3) } } })
    settle()
    expect(subscriber.values.sorted() == [1, 2, 3], "V1: each value is delivered once")
    expect(subscriber.values.filter { $0 < 3 } == [1, 2], "V1: the values of one thread arrive in order")
    queue.run { send { subject.finish() } }
    settle()
    expect(subscriber.ends == 1, "V4: the end reaches a subscriber once")
    token.remove()
  }
}

/// The scenarios of values that are delivered on a scheduler.
let scheduledValueScenarios: [Scenario] =
  [senderOnQueue]
  + QueueKind.allCases.flatMap { queue in
    [
      ticks(queue), unknownPlace(queue),
      delivered("coalesced", queue) { $0.coalesced(on: $1, policy: .nextTurn) },
      delivered("observed", queue) { $0.observe(on: $1) },
      deliveredEnd("coalesced", queue) { $0.coalesced(on: $1, policy: .nextTurn) },
      deliveredEnd("debounced", queue) { $0.debounce(.milliseconds(10), on: $1) },
      deliveredEnd("throttled", queue) { $0.throttle(.milliseconds(10), on: $1) },
      deliveredEnd("sampled", queue) { $0.sample(every: .milliseconds(10), on: $1) },
      deliveredEnd("observed", queue) { $0.observe(on: $1) },
    ]
  }

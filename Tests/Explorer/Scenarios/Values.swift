internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// Watches the calls of one subscriber: they never overlap, and no lock is held in them.
final class Subscriber {
  private(set) var values: [Int] = []
  private(set) var ends: Int = 0
  private var isRunning: Bool = false
  /// What a subscriber writes without a lock.
  private var plain: PlainCell = PlainCell()

  func take(_ value: Int) {
    enter()
    expect(ends == 0, "V4: no value follows the end")
    values.append(value)
    step()
    isRunning = false
  }

  func end() {
    enter()
    ends += 1
    expect(ends == 1, "V4: the end reaches a subscriber once")
    step()
    isRunning = false
  }

  private func enter() {
    expectUnlocked()
    expect(!isRunning, "V2: no subscriber is called by two threads at the same time")
    expect(plain.write(), "V2: each call of a subscriber happens before the next one")
    isRunning = true
  }
}

/// Two threads send to a subject with two subscribers, and one of them ends it.
let subjectValues: Scenario = Scenario("subject-values", "V1 V2 V4") {
  let subject = PublishSubject<Int>()
  let subscribers = (Subscriber(), Subscriber())
  let tokens = (
    subject.subscribe(onNext: subscribers.0.take, onDone: subscribers.0.end),
    subject.subscribe(onNext: subscribers.1.take, onDone: subscribers.1.end)
  )
  parallel(
    {
      subject.update(1)
      subject.update(2)
      subject.finish()
    },
    {
      subject.update(3)
      subject.update(4)
    })
  expect(subscribers.0.values == subscribers.1.values, "V1: all subscribers see the same sequence")
  expect(subscribers.0.ends == 1 && subscribers.1.ends == 1, "V4: the end reaches each subscriber")
  let own = subscribers.0.values.filter { $0 < 3 }
  expect(own == [1, 2], "V4: the end follows all earlier values")
  tokens.0.remove()
  tokens.1.remove()
}

/// One thread sets a variable while another one subscribes and a third one ends its subscription.
let variableSubscribers: Scenario = Scenario("variable-subscribers", "E5 V1 V2 V4") {
  let alive = Counter()
  var variable: Variable<Int>? = Variable(0)
  let subscribers = (Subscriber(), Subscriber())
  var tokens: [any SimpleEventToken] = []
  do {
    let captured = LeakCheckedObject(alive)
    tokens.append(
      variable!.subscribe { value in
        withExtendedLifetime(captured) { subscribers.0.take(value) }
      })
  }
  parallel(
    { variable!.value = 1 },
    { tokens.append(variable!.subscribe(onNext: subscribers.1.take, onDone: subscribers.1.end)) },
    { tokens[0].remove() })
  expect(alive.value == 0, "E5: a removal releases the captures of the block")
  expect(subscribers.1.values.last == 1, "V1: a subscriber gets the present value and all later ones")
  expect(subscribers.1.values == subscribers.1.values.sorted(), "V1: values arrive in order")
  variable = nil
  expect(subscribers.1.ends == 1, "V4: a subject's deallocation ends its subscribers")
}

/// Two threads remove one subscription; one of them then sends.
let subscriptionRemovals: Scenario = Scenario("subscription-two-removals", "E5") {
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

/// Two threads empty one bag; one of them then sends.
let bagRemovals: Scenario = Scenario("bag-two-removals", "E5") {
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

/// A subject that counts the connections to it.
final class Source {
  let subject: PublishSubject<Int> = PublishSubject()
  private(set) var connections: Int = 0
  private(set) var open: Int = 0

  var observable: Observable<Int> {
    Observable.create { [self] observer in
      connections += 1
      open += 1
      step()
      let token = subject.subscribe { observer.next($0) }
      return { [self] in
        token.remove()
        open -= 1
        expect(open >= 0, "V5: a source is disconnected once")
      }
    }
  }
}

/// A subscriber of a shared source takes one value while another one stays.
let sharedSubscribers: Scenario = Scenario("shared-subscribers", "V1 V5") {
  let source = Source()
  let shared = source.observable.shared()
  let subscribers = (Subscriber(), Subscriber())
  let stays = shared.subscribe(onNext: subscribers.0.take)
  var token: (any SimpleEventToken)?
  parallel(
    { token = shared.take(1).subscribe(onNext: subscribers.1.take) },
    { source.subject.update(1) })
  source.subject.update(2)
  expect(source.connections == 1, "V5: a source stays connected while a subscriber stays")
  expect(subscribers.0.values == [1, 2], "V1: a subscriber that stays gets all values")
  expect(subscribers.1.values.count == 1, "V1: a subscriber gets the values that it takes")
  stays.remove()
  expect(source.open == 0, "V5: a removed subscriber does not keep the source connected")
  token?.remove()
  expect(source.open == 0, "V5: a source is disconnected when the last subscriber leaves")
}

/// The last subscriber of a shared source leaves while the next one joins.
let sharedHandover: Scenario = Scenario("shared-handover", "V2 V5") {
  let source = Source()
  let shared = source.observable.shared()
  let subscriber = Subscriber()
  let first = shared.subscribe { (_: Int) in }
  var second: (any SimpleEventToken)?
  parallel(
    { first.remove() },
    { second = shared.subscribe(onNext: subscriber.take) },
    { source.subject.update(1) })
  source.subject.update(2)
  expect(subscriber.values.filter { $0 == 1 }.count <= 1, "V5: no value is delivered twice")
  expect(subscriber.values.filter { $0 == 2 }.count == 1, "V5: a subscriber that stays gets each value once")
  second?.remove()
  expect(source.open == 0, "V5: a source is disconnected when the last subscriber leaves")
}

/// A source that replays its value, of which the last subscriber leaves while another one comes.
let sharedReplay: Scenario = Scenario("shared-replay", "V5") {
  let variable = Variable(0)
  let shared = Observable<Int>.create { observer in
    let token = variable.subscribe { observer.next($0) }
    return { token.remove() }
  }.shared()
  let subscriber = Subscriber()
  let first = shared.subscribe { (_: Int) in }
  var second: (any SimpleEventToken)?
  parallel(
    { first.remove() },
    { second = shared.subscribe(onNext: subscriber.take) },
    { variable.value = 1 })
  expect(subscriber.values.filter { $0 == 1 }.count <= 1, "V5: a subscriber receives a value once")
  second?.remove()
}

/// Ticks on a queue, until they are removed by another thread.
func ticks(_ kind: QueueKind) -> Scenario {
  Scenario("ticks-\(kind)", "C4 S2 V2") {
    let scheduler = CountingScheduler(kind.make())
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
func delivered(
  _ name: String, _ kind: QueueKind,
  by transform: @escaping @Sendable (Observable<Int>, DispatchQueue) -> Observable<Int>
) -> Scenario {
  Scenario("\(name)-\(kind)", "C2 V2 V4") {
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

/// A derived variable is read by one thread while another one sets its source.
let derivedVariable: Scenario = Scenario("derived-variable", "V2 V6") {
  let variable = Variable(1)
  var isRunning = false
  let derived = variable.map { value in
    expectUnlocked()
    expect(!isRunning, "V2: a transform is not called by two threads at the same time")
    isRunning = true
    step()
    isRunning = false
    return value * 2
  }
  let subscriber = Subscriber()
  let token = derived.subscribe(onNext: subscriber.take)
  parallel(
    { variable.value = 2 },
    { _ = derived.value })
  expect(subscriber.values == [2, 4], "V1: a derived variable delivers each value")
  token.remove()
}

/// A turn of a concurrent queue sends to an observer on that queue while a turn is asked for.
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

/// The scenarios of values.
let valueScenarios: [Scenario] = {
  var all = [
    subjectValues, variableSubscribers, subscriptionRemovals, bagRemovals, sharedSubscribers, sharedHandover,
    sharedReplay, derivedVariable, removedSubscribers, senderOnQueue,
    forwarding(includingEnd: false), forwarding(includingEnd: true),
  ]
  for queue in QueueKind.allCases {
    all.append(ticks(queue))
    all.append(delivered("coalesced", queue) { $0.coalesced(on: $1, policy: .nextTurn) })
    all.append(delivered("observed", queue) { $0.observe(on: $1) })
  }
  return all
}()

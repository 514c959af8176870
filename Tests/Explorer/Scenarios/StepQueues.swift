internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// Two subjects send to each other, and each gets values from a thread of its own. No thread waits for the
/// delivery of the other.
private let mutualSubjects: Scenario = Scenario("mutual-subjects", "V1 V2 V3") {
  let subjects = (PublishSubject<Int>(), PublishSubject<Int>())
  let subscribers = (Subscriber(), Subscriber())
  let tokens = (
    subjects.0.subscribe { value in
      subscribers.0.take(value)
      if value < 10 { subjects.1.update(value + 10) }
    },
    subjects.1.subscribe { value in
      subscribers.1.take(value)
      if value < 10 { subjects.0.update(value + 10) }
    }
  )
  parallel(
    {
      subjects.0.update(1)
      subjects.0.update(2)
    },
    { subjects.1.update(3) })
  expect(subscribers.0.values.sorted() == [1, 2, 13], "V3: all values of both threads arrive")
  expect(subscribers.1.values.sorted() == [3, 11, 12], "V3: all values of both threads arrive")
  expect(subscribers.0.values.filter { $0 < 10 } == [1, 2], "V1: the values of one thread arrive in order")
  expect(subscribers.1.values.filter { $0 > 10 } == [11, 12], "V1: the values of one thread arrive in order")
  tokens.0.remove()
  tokens.1.remove()
}

/// Two threads send. The subscriber answers one value by sending more values than one call delivers for other
/// threads. The delivering thread is the sender of these values, so they are delivered before its call
/// returns.
private let ownValues: Scenario = Scenario("own-values", "V1 V3") {
  let subject = PublishSubject<Int>()
  var nested = 0
  let token = subject.subscribe { value in
    if value == 1 { for number in 0..<66 { subject.update(100 + number) } }
    if value >= 100 { nested += 1 }
  }
  parallel(
    { subject.update(0) },
    { subject.update(1) })
  expect(nested == 66, "V3: a call delivers all values of its own thread")
  token.remove()
}

/// A thread is in a delivery while another thread sends more values than one call delivers.
private func handover(
  _ name: String,
  of transform:
    @escaping @Sendable (PublishSubject<Int>, PublishSubject<Int>) -> (Observable<Int>, PublishSubject<Int>)
) -> Scenario {
  Scenario("handover-\(name)", "V1 V2 V3") {
    let subjects = (PublishSubject<Int>(), PublishSubject<Int>())
    let subscriber = Subscriber()
    let limit = 64
    var performer: Int?
    var own = 0
    var isDelivering = false
    var last = 0
    let (observable, sender) = transform(subjects.0, subjects.1)
    let token = observable.subscribe { value in
      subscriber.take(value)
      if value == 0 {
        isDelivering = true
        sleep(until: 10)
      }
      if engine.current == performer { own += 1 }
    }
    parallel(
      {
        performer = engine.current
        subjects.0.update(0)
        performer = nil
      },
      {
        sleep(until: 5)
        guard isDelivering else { return }
        last = limit + 2
        for number in 1...limit + 2 { sender.update(number) }
      })
    settle()
    expect(own <= limit + 1, "V3: one call delivers at most 64 values of other threads")
    expect(subscriber.values == Array(0...last), "V3: the other values follow in order")
    token.remove()
  }
}

/// A thread leaves its values to a global queue, and sends further values. The global queue delivers the
/// further values as well. Meanwhile, a subscriber leaves.
private let handoverSender: Scenario = Scenario("handover-sender", "V1 V3 E5") {
  let limit = 64
  let alive = Counter()
  let subject = PublishSubject<Int>()
  let subscriber = Subscriber()
  let (began, isSent) = (Latch(), Latch())
  var leaving: (any SimpleEventToken)?
  let token = subject.subscribe { value in
    subscriber.take(value)
    switch value {
    case 0:
      began.open()
      isSent.wait()
    case limit + 2: leaving?.remove()
    case limit + 3: expect(alive.value == 0, "E5: captures are released by the end of the delivery")
    default: break
    }
  }
  func subscribe(_ object: LeakCheckedObject) -> any SimpleEventToken {
    subject.subscribe { _ in withExtendedLifetime(object) {} }
  }
  leaving = subscribe(LeakCheckedObject(alive))
  parallel(
    {
      subject.update(0)
      // Most steps are now left to a global queue.
      for number in limit + 5...limit + 8 { subject.update(number) }
    },
    {
      began.wait()
      for number in 1...limit + 4 { subject.update(number) }
      isSent.open()
    })
  settle()
  expect(subscriber.values == Array(0...limit + 8), "V3: the other values follow in order")
  token.remove()
}

/// Two threads send to one subscriber that needs only the newest value, after two other subscribers have
/// left.
private let conflation: Scenario = Scenario("conflation", "C2 V3") {
  let alive = Counter()
  let queue = QueueKind.serial.make()
  let subject = PublishSubject<LeakCheckedObject>()
  var last = 0
  let token = subject.coalesced(on: queue, policy: .nextTurn).subscribe { _ in last += 1 }
  // One subscriber leaves between two deliveries, and another during its own delivery.
  subject.subscribe { _ in }.remove()
  var leaving: (any SimpleEventToken)?
  leaving = subject.subscribe { _ in leaving?.remove() }
  subject.update(LeakCheckedObject(alive))
  parallel(
    {
      for _ in 0..<8 {
        subject.update(LeakCheckedObject(alive))
        // At most seven values are alive: the last that was sent, the last that was delivered, one that is
        // queued, those on their way to the queue, and one for each sending thread.
        expect(alive.value <= 7, "V3: a subscriber that conflates holds one value")
      }
    },
    { subject.update(LeakCheckedObject(alive)) })
  settle()
  expect(last > 0, "C2: the newest value is delivered")
  token.remove()
}

/// A subscriber that needs all values is added while other subscribers conflate.
private let thoroughSubscriber: Scenario = Scenario("thorough-subscriber", "V1 V3") {
  let queue = QueueKind.serial.make()
  let subject = PublishSubject<Int>()
  let subscriber = Subscriber()
  let conflating = subject.coalesced(on: queue, policy: .nextTurn).subscribe { (_: Int) in }
  var token: (any SimpleEventToken)?
  parallel(
    {
      token = subject.subscribe(onNext: subscriber.take)
      subject.update(1)
      subject.update(2)
    },
    { subject.update(10) })
  expect(subscriber.values.filter { $0 < 10 } == [1, 2], "V1: a subscriber receives all values")
  settle()
  conflating.remove()
  token?.remove()
}

/// A subscriber that conflates is added during a delivery, directly before a value.
private let conflatingSubscriber: Scenario = Scenario("conflating-subscriber", "C2 V1 V3") {
  let queue = QueueKind.serial.make()
  let subject = PublishSubject<Int>()
  let values = subject.coalesced(on: queue, policy: .nextTurn)
  let first = values.subscribe { (_: Int) in }
  var second: (any SimpleEventToken)?
  var newest = 0
  parallel(
    { subject.update(10) },
    {
      second = values.subscribe { (value: Int) in newest = value }
      subject.update(1)
    })
  settle()
  expect(newest > 0, "V1: a value that follows the addition of a subscriber reaches it")
  first.remove()
  second?.remove()
}

/// A source of a merge ends while another thread sends through the other source.
private let finishedSource: Scenario = Scenario("finished-source", "V4 V5 V7") {
  let subjects = (PublishSubject<Int>(), PublishSubject<Int>())
  let subscriber = Subscriber()
  let token = Observable.merge(subjects.0, subjects.1).subscribe(
    onNext: subscriber.take, onDone: subscriber.end)
  parallel(
    { subjects.0.finish() },
    {
      subjects.1.update(1)
      token.remove()
    })
  subjects.1.update(2)
  expect(!subscriber.values.contains(2), "V5: a removed subscriber is not called")
  expect(subscriber.ends == 0, "V4: the end of one source is not the end of all")
}

/// The scenarios of the queue of steps, which subjects and observers of several sources use.
let stepQueueScenarios: [Scenario] = [
  mutualSubjects, ownValues, thoroughSubscriber, conflatingSubscriber, conflation, finishedSource,
  handoverSender,
  handover("subject") { first, _ in (first, first) },
  handover("merge") { (.merge($0, $1), $1) },
]

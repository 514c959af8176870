internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// One subscriber of a shared source takes one value, while another subscriber stays.
private let sharedSubscribers: Scenario = Scenario("shared-subscribers", "V1 V5") {
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
private let sharedHandover: Scenario = Scenario("shared-handover", "V2 V5") {
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

/// A shared source replays its value. The last subscriber leaves while another one joins.
private let sharedReplay: Scenario = Scenario("shared-replay", "V5") {
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

/// A shared source ends while its last subscriber leaves and the next one joins.
private let sharedEnd: Scenario = Scenario("shared-end", "V4 V5") {
  var observers: [Observer<Int>] = []
  let shared = Observable<Int>.create { observer in
    observers.append(observer)
    return {}
  }.shared()
  let subscriber = Subscriber()
  let first = shared.subscribe { (_: Int) in }
  var second: (any SimpleEventToken)?
  parallel(
    { [observer = observers[0]] in observer.finish() },
    {
      first.remove()
      second = shared.subscribe(onNext: subscriber.take, onDone: subscriber.end)
      if observers.count == 2 { observers[1].next(1) }
    })
  expect(
    subscriber.ends == 0 || subscriber.values.isEmpty, "V4: a connection is ended by its own source only")
  expect(subscriber.ends + subscriber.values.count == 1, "V5: a subscriber receives the end, or is connected")
  second?.remove()
}

/// The scenarios of sources that several subscribers share.
let sharedSourceScenarios: [Scenario] = [sharedSubscribers, sharedHandover, sharedReplay, sharedEnd]

internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// Two threads send to a subject with two subscribers, and one of them ends the subject.
private let subjectValues: Scenario = Scenario("subject-values", "V1 V2 V4") {
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

/// One thread sets a variable while another thread subscribes and a third thread ends its subscription.
private let variableSubscribers: Scenario = Scenario("variable-subscribers", "E5 V1 V2 V4") {
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
  expect([[1], [0, 1]].contains(subscribers.1.values), "V1: each value arrives once, in order")
  variable = nil
  expect(subscribers.1.ends == 1, "V4: a subject's deallocation ends its subscribers")
}

/// One thread reads a derived variable while another thread sets its source.
private let derivedVariable: Scenario = Scenario("derived-variable", "V2 V6") {
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

/// One thread removes all subscribers of a subject while another thread sends.
private let removedSubscribers: Scenario = Scenario("removed-subscribers", "V1 V2 V4") {
  let subject = PublishSubject<Int>()
  let alive = Counter()
  let (old, new) = (Subscriber(), Subscriber())
  var tokens: [any SimpleEventToken] = []
  do {
    let captured = LeakCheckedObject(alive)
    tokens.append(
      subject.subscribe(
        onNext: { value in withExtendedLifetime(captured) { old.take(value) } }, onDone: old.end))
  }
  parallel(
    {
      subject.update(1)
      subject.removeSubscribers()
    },
    { subject.update(2) })
  tokens.append(subject.subscribe(onNext: new.take, onDone: new.end))
  subject.update(3)
  subject.finish()
  expect(alive.value == 0, "E5: a removal releases the captures of the block")
  expect(old.ends == 0 && !old.values.contains(3), "V4: a removed subscriber is not called again")
  expect(old.values.contains(1), "V1: values that were sent before the removal arrive")
  expect(new.values == [3] && new.ends == 1, "V4: the subject goes on for new subscribers")
}

/// The scenarios of subjects and variables.
let subjectScenarios: [Scenario] = [
  subjectValues, variableSubscribers, derivedVariable, removedSubscribers,
]

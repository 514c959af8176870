internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// Two subjects forward to a third one. One of them ends, and the other one is deallocated.
func forwarding(includingEnd: Bool) -> Scenario {
  Scenario(includingEnd ? "forwarded-with-end" : "forwarded-values", "V2 V4") {
    let target = PublishSubject<Int>()
    let subscriber = Subscriber()
    let token = target.subscribe(onNext: subscriber.take, onDone: subscriber.end)
    let finished = PublishSubject<Int>()
    var deallocated: PublishSubject<Int>? = PublishSubject()
    let tokens = (
      finished.forward(to: target, includingEnd: includingEnd), deallocated!.forward(to: target)
    )
    parallel(
      {
        finished.update(1)
        finished.finish()
      },
      {
        deallocated!.update(2)
        deallocated = nil
      },
      { target.update(3) })
    let ends = includingEnd ? 1 : 0
    expect(subscriber.ends == ends, "V4: only an end that is asked for is forwarded")
    expect(subscriber.values.contains(1), "V4: the end follows all earlier values")
    if !includingEnd {
      expect(
        subscriber.values.sorted() == [1, 2, 3], "V4: a subject outlives the sources that forward to it")
    }
    tokens.0.remove()
    tokens.1.remove()
    token.remove()
  }
}

/// One thread removes all subscribers of a subject while another one sends.
let removedSubscribers: Scenario = Scenario("removed-subscribers", "V1 V2 V4") {
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

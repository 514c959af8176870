internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// Two subjects forward to a third subject. One of them ends, and the other is deallocated.
private func forwarding(includingEnd: Bool) -> Scenario {
  Scenario("forwarded-\(includingEnd ? "with-end" : "values")", "V2 V4") {
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

/// The scenarios of subjects that forward to other subjects.
let forwardingScenarios: [Scenario] = [forwarding(includingEnd: false), forwarding(includingEnd: true)]

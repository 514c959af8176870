import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

struct TimeTests {
  let scheduler: TestScheduler = TestScheduler()
  let subject: PublishSubject<Int> = PublishSubject()
  let log: Log = Log()

  /// Logs the events with their instants.
  private func timed(_ observable: Observable<Int>) -> any SimpleEventToken {
    observable.subscribe(
      onNext: { log.add("\(scheduler.milliseconds) \($0)") },
      onError: { log.add("\(scheduler.milliseconds) error \($0)") },
      onDone: { log.add("\(scheduler.milliseconds) done") })
  }

  @Test("debounce, throttle, audit: have the timing of the policies of the same names")
  func policies() {
    let operators: [(Observable<Int>, CoalescingPolicy)] = [
      (subject.debounce(.milliseconds(3), on: scheduler), .debounce(.milliseconds(3))),
      (
        subject.debounce(.milliseconds(3), maxWait: .milliseconds(4), on: scheduler),
        .debounce(.milliseconds(3), maxWait: .milliseconds(4))
      ),
      (
        subject.debounce(.milliseconds(3), edges: [.leading, .trailing], on: scheduler),
        .debounce(.milliseconds(3), edges: [.leading, .trailing])
      ),
      (subject.throttle(.milliseconds(3), on: scheduler), .throttle(.milliseconds(3))),
      (
        subject.throttle(.milliseconds(3), edges: .leading, on: scheduler),
        .throttle(.milliseconds(3), edges: .leading)
      ),
      (subject.audit(.milliseconds(3), on: scheduler), .audit(.milliseconds(3))),
    ]
    let bag = DisposeBag()
    let pairs = operators.map { observable, policy -> (Log, Log) in
      let logs = (Log(), Log())
      for (log, observable) in [
        (logs.0, observable), (logs.1, subject.coalesced(on: scheduler, policy: policy)),
      ] {
        observable.subscribe { log.add("\(scheduler.milliseconds) \($0)") }.disposed(by: bag)
      }
      return logs
    }
    for instant in [0, 2, 4, 5, 6, 20, 30, 31] {
      scheduler.at(instant) { [subject] in subject.update(instant) }
    }
    scheduler.run()
    for (named, plain) in pairs {
      #expect(named.entries == plain.entries)
    }
    // The deliveries of the operators differ from each other.
    #expect(Set(pairs.map(\.0.entries)).count == pairs.count)
  }

  @Test("throttle: a leading edge sends the first value and drops the ignored ones")
  func leadingEdge() {
    let token = timed(subject.throttle(.milliseconds(10), edges: .leading, on: scheduler))
    scheduler.at(0) { [subject] in subject.update(1) }
    scheduler.at(5) { [subject] in subject.update(2) }
    scheduler.at(7) { [subject] in subject.finish() }
    scheduler.run()
    #expect(log.entries == ["0 1", "7 done"])
    token.remove()
  }

  @Test("V4, throttle: a leading value that is pending is delivered before the end")
  func leadingValueBeforeEnd() {
    let token = timed(subject.throttle(.milliseconds(10), on: scheduler))
    subject.update(1)
    subject.finish()
    #expect(log.entries == ["0 1", "0 done"])
    scheduler.run()
    #expect(log.entries.count == 2)
    token.remove()
  }

  @Test("V1, debounce: a value and the end that are sent during a delivery are delivered after it")
  func nestedValueAndEnd() {
    let observable = subject.debounce(.milliseconds(10), on: scheduler)
    let token = observable.subscribe(
      onNext: { value in
        log.add("\(value)")
        if value == 1 {
          subject.update(2)
          subject.finish()
        }
        log.add("\(value) returns")
      }, onDone: { log.add("done") })
    subject.update(1)
    scheduler.run()
    #expect(log.entries == ["1", "1 returns", "2", "2 returns", "done"])
    token.remove()
  }

  @Test("E6, debounce, sample: a removal drops the pending value, and cancels the timer")
  func removal() {
    let tokens = [
      timed(subject.debounce(.milliseconds(10), on: scheduler)),
      timed(subject.sample(every: .milliseconds(10), on: scheduler)),
    ]
    subject.update(1)
    #expect(scheduler.pendingCount == 2)
    for token in tokens { token.remove() }
    #expect(scheduler.pendingCount == 0)
    scheduler.run()
    #expect(log.entries == [])
  }

  @Test("V3, debounce: a storm gives one value and one timer")
  func storm() {
    let token = timed(subject.debounce(.milliseconds(10), on: scheduler))
    for value in 1...10_000 {
      subject.update(value)
    }
    #expect(scheduler.pendingCount == 1)
    scheduler.run()
    #expect(log.entries == ["10 10000"])
    token.remove()
  }

  @Test("sample: has a timer only while a value is pending and there is a subscriber")
  func sampleTimer() {
    let token = timed(subject.sample(every: .milliseconds(10), on: scheduler))
    #expect(scheduler.pendingCount == 0)
    scheduler.advance(by: .milliseconds(25))
    subject.update(1)
    #expect(scheduler.pendingCount == 1)
    scheduler.advance(by: .milliseconds(5))
    #expect(log.entries == ["30 1"])
    #expect(scheduler.pendingCount == 0)
    subject.update(2)
    scheduler.advance(by: .milliseconds(9))
    #expect(log.entries == ["30 1"])
    scheduler.advance(by: .milliseconds(1))
    #expect(log.entries == ["30 1", "40 2"])
    subject.update(3)
    token.remove()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("sample: a value at the instant of a sample is part of the sample unless it was already sent")
  func sampleInstant() {
    scheduler.at(10) { [subject] in subject.update(1) }
    let token = timed(subject.sample(every: .milliseconds(10), on: scheduler))
    scheduler.advance(by: .milliseconds(10))
    #expect(log.entries == ["10 1"])
    subject.update(2)
    scheduler.advance()
    #expect(log.entries == ["10 1"])
    scheduler.run()
    #expect(log.entries == ["10 1", "20 2"])
    token.remove()
  }

  @Test("V4, sample: the end delivers the pending value, and an error drops it")
  func sampleEnd() {
    let failing = PublishSubject<Int>()
    let tokens = [
      timed(subject.sample(every: .milliseconds(10), on: scheduler)),
      timed(failing.sample(every: .milliseconds(10), on: scheduler)),
    ]
    scheduler.advance(by: .milliseconds(3))
    subject.update(1)
    failing.update(2)
    subject.finish()
    failing.fail(Broken())
    scheduler.run()
    #expect(log.entries == ["3 1", "3 done", "3 error broken"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "sample: an interval of zero or less sends on the next turn",
    arguments: [Duration.zero, .milliseconds(-1)])
  func sampleOnNextTurn(interval: Duration) {
    let token = timed(subject.sample(every: interval, on: scheduler))
    subject.update(1)
    subject.update(2)
    scheduler.advance()
    #expect(log.entries == ["0 2"])
    token.remove()
  }

  @Test("sample: an infinite interval sends at the end")
  func sampleAtEnd() {
    let token = timed(subject.sample(every: .seconds(Int64.max), on: scheduler))
    subject.update(1)
    scheduler.advance(by: .seconds(1_000_000))
    subject.update(2)
    #expect(log.entries == [])
    subject.finish()
    #expect(log.entries == ["1000000000 2", "1000000000 done"])
    token.remove()
  }

  @Test("V4, debounce: the end of a source elsewhere is delivered on the scheduler, after the pending value")
  func endElsewhere() {
    let elsewhere = Elsewhere(scheduler)
    let token = timed(subject.debounce(.milliseconds(10), on: elsewhere))
    subject.update(1)
    subject.finish()
    #expect(log.entries == [])
    scheduler.advance()
    #expect(log.entries == ["0 1", "0 done"])
    token.remove()
  }

  @Test("ticks: have a regular pace while they have a subscriber")
  func ticks() {
    let token = Observable.ticks(every: .milliseconds(10), on: scheduler).subscribe { instant in
      log.add("\(instant.milliseconds)")
    }
    scheduler.advance(by: .milliseconds(35))
    #expect(log.entries == ["10", "20", "30"])
    token.remove()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("ticks: end with their subscriber, even during a tick")
  func ticksEnd() {
    let ticks = Observable.ticks(every: .milliseconds(10), on: scheduler)
    let token = ticks.take(2).subscribe(onNext: { _ in log.add("tick") }, onDone: { log.add("done") })
    scheduler.run(limit: 100)
    #expect(log.entries == ["tick", "tick", "done"])
    #expect(scheduler.pendingCount == 0)
    token.remove()
  }

  @Test("ticks: send one tick if they do not repeat")
  func singleTick() {
    let tick = Observable.ticks(every: .milliseconds(10), repeats: false, on: scheduler)
    let token = timed(tick.map(\.milliseconds))
    #expect(scheduler.pendingCount == 1)
    scheduler.advance(by: .seconds(1))
    #expect(log.entries == ["10 10", "10 done"])
    #expect(scheduler.pendingCount == 0)
    token.remove()
  }
}

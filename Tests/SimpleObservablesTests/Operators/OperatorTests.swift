import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// Operators that answer each value at once.
@Suite struct OperatorTests {
  @Test func `map passes values through a function, and the end as it is`() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let token = subject.map { "<\($0)>" }.log(into: log)
    subject.update(1)
    subject.fail(Broken())
    #expect(log.entries == ["<1>", "error broken"])
    token.remove()
  }

  @Test func `filter passes values that satisfy a condition`() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let token = subject.filter { $0 % 2 == 0 }.log(into: log)
    for value in 1...4 {
      subject.update(value)
    }
    subject.finish()
    #expect(log.entries == ["2", "4", "done"])
    token.remove()
  }

  @Test func `skip leaves out the first values, for each subscriber`() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let skipping = subject.skip(2)
    let bag = DisposeBag()
    skipping.log(into: log, as: "a").disposed(by: bag)
    subject.update(1)
    skipping.log(into: log, as: "b").disposed(by: bag)
    subject.update(2)
    subject.update(3)
    subject.update(4)
    subject.finish()
    #expect(log.entries == ["a3", "a4", "b4", "adone", "bdone"])
  }

  @Test(arguments: [-1, 0])
  func `skip of nothing leaves out nothing`(count: Int) {
    let log = Log()
    let token = Observable.just(1).skip(count).log(into: log)
    #expect(log.entries == ["1", "done"])
    token.remove()
  }

  @Test func `take finishes with its last value, and lets go of the source`() {
    let log = Log()
    var source: Observer<Int>?
    let observable = Observable<Int>.create { observer in
      source = observer
      return { log.add("disconnect") }
    }
    let token = observable.take(2).log(into: log)
    source?.next(1)
    source?.next(2)
    source?.next(3)
    source?.fail(Broken())
    #expect(log.entries == ["1", "2", "done", "disconnect"])
    token.remove()
  }

  @Test func `take gives no more than asked for when its subscriber makes the source say more`() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let token = subject.take(2).subscribe(
      onNext: { value in
        log.add("\(value)")
        subject.update(value + 1)
        subject.update(value + 2)
      }, onDone: { log.add("done") })
    subject.update(1)
    #expect(log.entries == ["1", "2", "done"])
    token.remove()
  }

  @Test func `take of the values that are replayed`() {
    let replay = ReplaySubject<Int>(bufferSize: 5)
    for value in 1...5 {
      replay.update(value)
    }
    let log = Log()
    let token = replay.map { value -> Int in
      log.add("map")
      return value
    }.take(2).log(into: log)
    #expect(log.entries == ["map", "1", "map", "2", "done"])
    token.remove()
  }

  @Test(arguments: [0, -1])
  func `take(0) completes at once`(count: Int) {
    let log = Log()
    let never = Observable<Int>.create { _ in
      log.add("connect")
      return {}
    }
    let token = never.take(count).log(into: log)
    #expect(log.entries == ["done"])
    token.remove()
  }

  @Test func `a source that is shorter than take finishes by itself`() {
    let log = Log()
    let token = Observable.just(1).take(2).log(into: log)
    #expect(log.entries == ["1", "done"])
    token.remove()
  }

  @Test func `distinct leaves out values that are the same as the last one`() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let tokens = [
      subject.distinct().log(into: log, as: "a"),
      subject.distinct { $0 / 10 == $1 / 10 }.log(into: log, as: "b"),
    ]
    for value in [1, 1, 2, 12, 1] {
      subject.update(value)
    }
    #expect(log.entries == ["a1", "b1", "a2", "a12", "b12", "a1", "b1"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `distinct knows a first nil from no value`() {
    let log = Log()
    let token = Variable<Int?>(nil).distinct().subscribe { log.add("\($0 as Any)") }
    #expect(log.entries == ["nil"])
    token.remove()
  }

  @Test func `withPrevious pairs each value with the one before`() {
    let variable = Variable(1)
    let log = Log()
    let token = variable.withPrevious().subscribe { log.add("\($0.oldValue as Any) -> \($0.value)") }
    variable.value = 2
    #expect(log.entries == ["nil -> 1", "Optional(1) -> 2"])
    token.remove()
  }

  @Test func `a chain subscribes once for each subscriber, and only while there are any`() {
    let subject = PublishSubject<Int>()
    var transforms = 0
    let chain = subject.map { value -> Int in
      transforms += 1
      return value
    }
    subject.update(1)
    #expect(transforms == 0)
    let first = chain.subscribe { _ in }
    let second = chain.subscribe { _ in }
    subject.update(2)
    #expect(transforms == 2)
    first.remove()
    second.remove()
    subject.update(3)
    #expect(transforms == 2)
  }

  @Test func `shared subscribes once for all, and ends with the last`() {
    let log = Log()
    var source: Observer<Int>?
    let shared = Observable<Int>.create { observer in
      log.add("connect")
      source = observer
      return { log.add("disconnect") }
    }.shared()
    let first = shared.log(into: log, as: "a")
    let second = shared.log(into: log, as: "b")
    source?.next(1)
    first.remove()
    source?.next(2)
    second.remove()
    #expect(log.entries == ["connect", "a1", "b1", "b2", "disconnect"])
    let third = shared.log(into: log, as: "c")
    source?.next(3)
    source?.finish()
    let late = shared.log(into: log, as: "d")
    #expect(log.entries.dropFirst(5) == ["connect", "c3", "cdone", "disconnect", "ddone"])
    third.remove()
    late.remove()
  }

  @Test func `a shared source that speaks at once is heard by the first subscriber`() {
    let log = Log()
    let shared = Variable(1).asObservable().shared()
    let tokens = [shared.log(into: log, as: "a"), shared.log(into: log, as: "b")]
    #expect(log.entries == ["a1"])
    withExtendedLifetime(tokens) {}
  }
}

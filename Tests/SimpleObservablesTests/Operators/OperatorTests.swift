import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// Operators that process each value synchronously.
struct OperatorTests {
  @Test("map: sends transformed values and the end unchanged")
  func map() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let token = subject.map { "<\($0)>" }.log(into: log)
    subject.update(1)
    subject.fail(Broken())
    #expect(log.entries == ["<1>", "error broken"])
    token.remove()
  }

  @Test("filter: sends the values that satisfy a condition")
  func filter() {
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

  @Test("skip: omits the first values for each subscriber")
  func skip() {
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

  @Test("skip: omits no value for a count of zero or less", arguments: [-1, 0])
  func skipNone(count: Int) {
    let log = Log()
    let token = Observable.just(1).skip(count).log(into: log)
    #expect(log.entries == ["1", "done"])
    token.remove()
  }

  @Test("V4, V5, take: finishes with its last value and disconnects the source")
  func take() {
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

  @Test("V1, take: sends only its count of values, even when its subscriber makes the source send more")
  func takeWithNestedValues() {
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

  @Test("take: counts replayed values")
  func takeOfReplay() {
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

  @Test("take: finishes immediately for a count of zero or less", arguments: [0, -1])
  func takeNone(count: Int) {
    let log = Log()
    let never = Observable<Int>.create { _ in
      log.add("connect")
      return {}
    }
    let token = never.take(count).log(into: log)
    #expect(log.entries == ["done"])
    token.remove()
  }

  @Test("take: finishes with a source that sends fewer values")
  func takeOfShortSource() {
    let log = Log()
    let token = Observable.just(1).take(2).log(into: log)
    #expect(log.entries == ["1", "done"])
    token.remove()
  }

  @Test("distinct: omits values that equal the previous value")
  func distinct() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let tokens = [
      subject.removeDuplicates().log(into: log, as: "a"),
      subject.removeDuplicates { $0 / 10 == $1 / 10 }.log(into: log, as: "b"),
    ]
    for value in [1, 1, 2, 12, 1] {
      subject.update(value)
    }
    #expect(log.entries == ["a1", "b1", "a2", "a12", "b12", "a1", "b1"])
    withExtendedLifetime(tokens) {}
  }

  @Test("distinct: sends a first value of nil")
  func distinctNil() {
    let log = Log()
    let token = Variable<Int?>(nil).removeDuplicates().subscribe { log.add("\($0 as Any)") }
    #expect(log.entries == ["nil"])
    token.remove()
  }

  @Test("withPrevious: pairs each value with the previous one")
  func withPrevious() {
    let variable = Variable(1)
    let log = Log()
    let token = variable.withPrevious().subscribe { log.add("\($0.oldValue as Any) -> \($0.value)") }
    variable.value = 2
    #expect(log.entries == ["nil -> 1", "Optional(1) -> 2"])
    token.remove()
  }

  @Test("V5: a chain subscribes once for each subscriber, and only while it has a subscriber")
  func chain() {
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

  @Test("V5, shared: subscribes once for all subscribers, and disconnects with the last of them")
  func shared() {
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

  @Test("shared: values that a source sends during its connection reach only the first subscriber")
  func sharedVariable() {
    let log = Log()
    let shared = Variable(1).asObservable().shared()
    let tokens = [shared.log(into: log, as: "a"), shared.log(into: log, as: "b")]
    #expect(log.entries == ["a1"])
    withExtendedLifetime(tokens) {}
  }
}

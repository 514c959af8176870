import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

struct CombiningTests {
  @Test("merge: sends values in the order of arrival and finishes after all sources")
  func merge() {
    let a = PublishSubject<Int>()
    let b = PublishSubject<Int>()
    let log = Log()
    let token = Observable.merge(a, b).log(into: log)
    a.update(1)
    b.update(2)
    a.finish()
    b.update(3)
    #expect(log.entries == ["1", "2", "3"])
    b.finish()
    #expect(log.entries == ["1", "2", "3", "done"])
    token.remove()
  }

  @Test("V4, V5, merge: fails with the first error and disconnects the other sources")
  func mergeError() {
    let a = PublishSubject<Int>()
    let log = Log()
    let b = Observable<Int>.create { _ in { log.add("disconnect") } }
    let token = Observable.merge([a, b]).log(into: log)
    a.fail(Broken())
    #expect(log.entries == ["error broken", "disconnect"])
    token.remove()
  }

  @Test("V4, merge, combineLatest: finish immediately without sources")
  func noSources() {
    let log = Log()
    let tokens = [
      Observable<Int>.merge([]).log(into: log), Observable<Int>.combineLatest([]).log(into: log),
    ]
    #expect(log.entries == ["done", "done"])
    withExtendedLifetime(tokens) {}
  }

  @Test("V1, merge: a value that is sent during a delivery is delivered after it")
  func nestedValue() {
    let a = PublishSubject<Int>()
    let b = PublishSubject<Int>()
    let log = Log()
    let token = Observable.merge(a, b).subscribe { value in
      log.add("\(value)")
      if value == 1 { b.update(2) }
      log.add("\(value) returns")
    }
    a.update(1)
    #expect(log.entries == ["1", "1 returns", "2", "2 returns"])
    token.remove()
  }

  @Test("combineLatest: starts when each source has a value, and finishes after all sources")
  func combineLatest() {
    let a = PublishSubject<Int>()
    let b = PublishSubject<String>()
    let log = Log()
    let token = Observable.combineLatest(a, b).subscribe(
      onNext: { number, text in log.add("\(number)\(text)") }, onDone: { log.add("done") })
    a.update(1)
    a.update(2)
    b.update("x")
    a.finish()
    b.update("y")
    #expect(log.entries == ["2x", "2y"])
    b.finish()
    #expect(log.entries == ["2x", "2y", "done"])
    token.remove()
  }

  @Test("combineLatest: a variable combined with itself also sends the pair of the new and the old value")
  func combineLatestWithItself() {
    let variable = Variable(1)
    let log = Log()
    let token = Observable.combineLatest(variable, variable.map { $0 * 10 })
      .subscribe(onNext: { log.add("\($0) \($1)") })
    variable.value = 2
    // The derived variable has observed the variable since its creation, so it receives the value first.
    #expect(log.entries == ["1 10", "1 20", "2 20"])
    token.remove()
  }

  @Test("combineLatest: combines three, four and many sources")
  func combineLatestOfMany() {
    let numbers = (0..<4).map { Variable($0) }
    let log = Log()
    let tokens = [
      Observable.combineLatest(numbers[0], numbers[1], numbers[2])
        .subscribe(onNext: { log.add("three \($0) \($1) \($2)") }),
      Observable.combineLatest(numbers[0], numbers[1], numbers[2], numbers[3])
        .subscribe(onNext: { log.add("four \($0) \($1) \($2) \($3)") }),
      Observable.combineLatest(numbers).subscribe(onNext: { log.add("many \($0)") }),
    ]
    numbers[2].value = 9
    #expect(
      log.entries == [
        "three 0 1 2", "four 0 1 2 3", "many [0, 1, 2, 3]", "three 0 1 9", "four 0 1 9 3",
        "many [0, 1, 9, 3]",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("V4, combineLatest: three and four sources finish with the last and fail with the first error")
  func combineLatestEnds() {
    let subjects = (0..<4).map { _ in PublishSubject<Int>() }
    let log = Log()
    let tokens = [
      Observable.combineLatest(subjects[0], subjects[1], subjects[2]).map { _ in 3 }.log(into: log, as: "a"),
      Observable.combineLatest(subjects[0], subjects[1], subjects[2], subjects[3]).map { _ in 4 }
        .log(into: log, as: "b"),
    ]
    subjects[1].finish()
    subjects[0].finish()
    #expect(log.entries == [])
    subjects[2].finish()
    #expect(log.entries == ["adone"])
    subjects[3].fail(Broken())
    #expect(log.entries == ["adone", "berror broken"])
    withExtendedLifetime(tokens) {}
  }

  @Test("zip: pairs the first values, then the second values")
  func zip() {
    let a = PublishSubject<Int>()
    let b = PublishSubject<String>()
    let log = Log()
    let token = Observable.zip(a, b).subscribe(onNext: { log.add("\($0)\($1)") })
    a.update(1)
    a.update(2)
    b.update("x")
    b.update("y")
    b.update("z")
    a.update(3)
    #expect(log.entries == ["1x", "2y", "3z"])
    token.remove()
  }

  @Test("V4, zip: finishes when no further pair is possible")
  func zipFinishes() {
    let a = PublishSubject<Int>()
    let b = PublishSubject<String>()
    let log = Log()
    let token = Observable.zip(a, b).map { "\($0)\($1)" }.log(into: log)
    a.update(1)
    a.update(2)
    a.finish()
    #expect(log.entries == [])
    b.update("x")
    #expect(log.entries == ["1x"])
    b.update("y")
    #expect(log.entries == ["1x", "2y", "done"])
    token.remove()
  }

  @Test("V4, zip: finishes immediately when a finished source has no pending value")
  func zipOfEmpty() {
    let log = Log()
    let live = PublishSubject<Int>()
    let token = Observable.zip(live, Observable<Int>.empty()).map { "\($0)" }.log(into: log)
    #expect(log.entries == ["done"])
    token.remove()
  }

  @Test("zip: two finished sources pair their pending values")
  func zipOfFinished() {
    let log = Log()
    let token = Observable.zip(Observable.just(1), Observable.just("x")).map { "\($0)\($1)" }.log(into: log)
    #expect(log.entries == ["1x", "done"])
    token.remove()
  }

  @Test("zip: fails when one source is further ahead than its limit")
  func zipOverflow() {
    let a = PublishSubject<Int>()
    let b = PublishSubject<Int>()
    var overflow: ZipOverflowError?
    let token = Observable.zip(a, b, limit: 2).subscribe(onError: { overflow = $0 as? ZipOverflowError })
    a.update(1)
    a.update(2)
    #expect(overflow == nil)
    a.update(3)
    #expect(overflow == ZipOverflowError(limit: 2))
    #expect(overflow.map { "\($0)" }?.contains("more than 2 values ahead") == true)
    token.remove()
  }

  @Test("zip: pairs two replays of 2,000 values")
  func zipOfReplays() {
    let replays = (ReplaySubject<Int>(bufferSize: 2000), ReplaySubject<Int>(bufferSize: 2000))
    for value in 0..<2000 {
      replays.0.update(value)
      replays.1.update(value)
    }
    var sum = 0
    let token = Observable.zip(replays.0, replays.1).subscribe(onNext: { first, second in
      sum += first == second ? 1 : 0
    })
    #expect(sum == 2000)
    token.remove()
  }

  @Test("zip: never fails while neither source is far ahead")
  func zipWithoutOverflow() {
    let a = PublishSubject<Int>()
    let b = PublishSubject<Int>()
    var count = 0
    let token = Observable.zip(a, b, limit: 40).subscribe(onNext: { first, second in
      count += first == second ? 1 : 0
    })
    for lead in 0..<100 {
      for value in 0..<40 { (lead % 2 == 0 ? a : b).update(value) }
      for value in 0..<40 { (lead % 2 == 0 ? b : a).update(value) }
    }
    #expect(count == 4000)
    token.remove()
  }
}

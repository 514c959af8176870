import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

@Suite struct CombiningTests {
  @Test func `merge passes values as they come, and completes when all have`() {
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

  @Test func `merge fails with the first that does, and lets go of the others`() {
    let a = PublishSubject<Int>()
    let log = Log()
    let b = Observable<Int>.create { _ in { log.add("disconnect") } }
    let token = Observable.merge([a, b]).log(into: log)
    a.fail(Broken())
    #expect(log.entries == ["error broken", "disconnect"])
    token.remove()
  }

  @Test func `of nothing, merge and combineLatest complete at once`() {
    let log = Log()
    let tokens = [
      Observable<Int>.merge([]).log(into: log), Observable<Int>.combineLatest([]).log(into: log),
    ]
    #expect(log.entries == ["done", "done"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `what a source says while another one is being heard comes after it`() {
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

  @Test func `combineLatest starts when all have a value, and completes when all have`() {
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

  @Test func `combineLatest of a variable with itself tells the pair in between`() {
    let variable = Variable(1)
    let log = Log()
    let token = Observable.combineLatest(variable, variable.map { $0 * 10 })
      .subscribe(onNext: { log.add("\($0) \($1)") })
    variable.value = 2
    #expect(log.entries == ["1 10", "2 10", "2 20"])
    token.remove()
  }

  @Test func `combineLatest of three, of four, and of many`() {
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

  @Test func `combineLatest of three and four complete when all have, and fail with the first`() {
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

  @Test func `zip pairs first with first, second with second`() {
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

  @Test func `zip completes when no further pair is possible`() {
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

  @Test func `zip completes at once when a source has finished with nothing waiting`() {
    let log = Log()
    let live = PublishSubject<Int>()
    let token = Observable.zip(live, Observable<Int>.empty()).map { "\($0)" }.log(into: log)
    #expect(log.entries == ["done"])
    token.remove()
  }

  @Test func `zip of sources that have both finished pairs what is left`() {
    let log = Log()
    let token = Observable.zip(Observable.just(1), Observable.just("x")).map { "\($0)\($1)" }.log(into: log)
    #expect(log.entries == ["1x", "done"])
    token.remove()
  }

  @Test func `zip fails when a source gets further ahead than it may`() {
    let a = PublishSubject<Int>()
    let b = PublishSubject<Int>()
    var overflow: ZipOverflow?
    let token = Observable.zip(a, b, limit: 2).subscribe(onError: { overflow = $0 as? ZipOverflow })
    a.update(1)
    a.update(2)
    #expect(overflow == nil)
    a.update(3)
    #expect(overflow == ZipOverflow(limit: 2))
    token.remove()
  }

  @Test func `zip may go on for ever while neither source is far ahead`() {
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

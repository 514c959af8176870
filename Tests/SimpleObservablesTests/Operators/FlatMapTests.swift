import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

struct FlatMapTests {
  private let outer = PublishSubject<Int>()
  private let parts = [PublishSubject<String>(), PublishSubject<String>()]
  private let log = Log()

  @Test("flatMap: sends the values of all inner observables in the order of arrival")
  func flatMap() {
    let token = outer.flatMap { parts[$0] }.log(into: log)
    outer.update(0)
    parts[0].update("a")
    outer.update(1)
    parts[1].update("b")
    parts[0].update("c")
    #expect(log.entries == ["a", "b", "c"])
    token.remove()
    parts[0].update("d")
    #expect(log.entries == ["a", "b", "c"])
  }

  @Test("V4, flatMap: finishes after the source and all inner observables")
  func finish() {
    let token = outer.flatMap { parts[$0] }.log(into: log)
    outer.update(0)
    outer.update(1)
    parts[0].finish()
    outer.finish()
    parts[1].update("a")
    #expect(log.entries == ["a"])
    parts[1].finish()
    #expect(log.entries == ["a", "done"])
    token.remove()
  }

  @Test("V4, flatMap: finishes when a source without values finishes")
  func emptySource() {
    let token = Observable<Int>.empty().flatMap { Observable.just($0) }.log(into: log)
    #expect(log.entries == ["done"])
    token.remove()
  }

  @Test("V4, V5, flatMap: fails with the first error and disconnects the other inner observables")
  func error() {
    let failing = PublishSubject<Int>()
    let live = Observable<Int>.create { observer in
      observer.next(1)
      return { log.add("disconnect") }
    }
    let token = outer.flatMap { $0 == 0 ? live : failing.asObservable() }.log(into: log)
    outer.update(0)
    outer.update(1)
    failing.fail(Broken())
    outer.update(0)
    #expect(log.entries == ["1", "error broken", "disconnect"])
    token.remove()
  }

  @Test("flatMap: a variable that only flatMap keeps sends its value")
  func partKeptByFlatMap() {
    let fetch = PublishSubject<Void>()
    let token = fetch.flatMap { Variable(100).asObservable() }.log(into: log)
    fetch.update()
    fetch.update()
    fetch.finish()
    #expect(log.entries == ["100", "100", "done"])
    token.remove()
  }

  @Test("V5, flatMap: releases inner observables that have ended")
  func endedParts() {
    let outer = PublishSubject<Canary>()
    weak var last: Canary?
    let token = outer.flatMap { canary in
      Observable<Int>.create { observer in
        observer.finish()
        return { withExtendedLifetime(canary) {} }
      }
    }.subscribe { _ in }
    do {
      let canary = Canary()
      last = canary
      outer.update(canary)
    }
    outer.update(Canary())
    #expect(last == nil)
    token.remove()
  }

  @Test("flatMapLatest: sends only the values of the newest inner observable")
  func flatMapLatest() {
    let token = outer.flatMapLatest { parts[$0] }.log(into: log)
    outer.update(0)
    parts[0].update("a")
    outer.update(1)
    parts[0].update("b")
    parts[1].update("c")
    #expect(log.entries == ["a", "c"])
    parts[0].fail(Broken())
    outer.finish()
    #expect(log.entries == ["a", "c"])
    parts[1].finish()
    #expect(log.entries == ["a", "c", "done"])
    token.remove()
  }

  @Test("flatMapLatest: drops pending values of an inner observable that was replaced")
  func replacedPart() {
    let part = PublishSubject<String>()
    let token = outer.flatMapLatest { $0 == 0 ? part.asObservable() : .just("new") }.subscribe { value in
      log.add(value)
      if value == "a" {
        part.update("b")
        outer.update(1)
      }
    }
    outer.update(0)
    part.update("a")
    // The second value of the part is sent during a delivery, so it is pending when the part is replaced.
    #expect(log.entries == ["a", "new"])
    token.remove()
  }

  @Test("flatMapLatest: drops an inner observable that was replaced before its turn")
  func replacedBeforeTurn() {
    let first = PublishSubject<String>()
    let token = outer.flatMapLatest { $0 == 0 ? first.asObservable() : .just("\($0)") }.subscribe { value in
      log.add(value)
      if value == "a" {
        outer.update(1)
        outer.update(2)
      }
    }
    outer.update(0)
    first.update("a")
    #expect(log.entries == ["a", "2"])
    token.remove()
  }

  @Test("V1, flatMap: a value that the transform sends is delivered after the current one")
  func nestedValue() {
    let token = outer.flatMap { value -> Observable<Int> in
      if value == 1 { outer.update(2) }
      return .just(value)
    }.log(into: log)
    outer.update(1)
    #expect(log.entries == ["1", "2"])
    token.remove()
  }
}

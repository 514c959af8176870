import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

@Suite struct FlatMapTests {
  @Test func `flatMap passes the values of all parts, as they come`() {
    let outer = PublishSubject<Int>()
    let parts = [PublishSubject<String>(), PublishSubject<String>()]
    let log = Log()
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

  @Test func `flatMap completes when the source and all parts have`() {
    let outer = PublishSubject<Int>()
    let parts = [PublishSubject<String>(), PublishSubject<String>()]
    let log = Log()
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

  @Test func `flatMap of a source without values completes with it`() {
    let log = Log()
    let token = Observable<Int>.empty().flatMap { Observable.just($0) }.log(into: log)
    #expect(log.entries == ["done"])
    token.remove()
  }

  @Test func `flatMap fails with the first that does, and lets go of the others`() {
    let outer = PublishSubject<Int>()
    let log = Log()
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

  @Test func `flatMap of variables that nobody else keeps tells their values`() {
    let fetch = PublishSubject<Void>()
    let log = Log()
    let token = fetch.flatMap { Variable(100).asObservable() }.log(into: log)
    fetch.update()
    fetch.update()
    fetch.finish()
    #expect(log.entries == ["100", "100", "done"])
    token.remove()
  }

  @Test func `flatMap lets go of parts that have ended`() {
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

  @Test func `flatMapLatest passes the values of the newest part only`() {
    let outer = PublishSubject<Int>()
    let parts = [PublishSubject<String>(), PublishSubject<String>()]
    let log = Log()
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

  @Test func `flatMapLatest drops what waits of a part that has been replaced`() {
    let outer = PublishSubject<Int>()
    let part = PublishSubject<String>()
    let log = Log()
    let token = outer.flatMapLatest { $0 == 0 ? part.asObservable() : .just("new") }.subscribe { value in
      log.add(value)
      if value == "a" {
        part.update("b")
        outer.update(1)
      }
    }
    outer.update(0)
    part.update("a")
    // The part was in the middle of a delivery, so what it says next waits behind it, and comes too late.
    #expect(log.entries == ["a", "new"])
    token.remove()
  }

  @Test func `flatMapLatest drops what waits of a part that has been replaced before its turn`() {
    let outer = PublishSubject<Int>()
    let first = PublishSubject<String>()
    let log = Log()
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

  @Test func `a part that its function makes its own source say more is connected in order`() {
    let outer = PublishSubject<Int>()
    let log = Log()
    let token = outer.flatMap { value -> Observable<Int> in
      if value == 1 { outer.update(2) }
      return .just(value)
    }.log(into: log)
    outer.update(1)
    #expect(log.entries == ["1", "2"])
    token.remove()
  }
}

import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// Cold observables. Their source is a closure.
struct CreateTests {
  @Test("V5, create: connects once for each subscriber and disconnects once")
  func connections() {
    let log = Log()
    let observable = Observable<Int>.create { observer in
      log.add("connect")
      observer.next(1)
      return { log.add("disconnect") }
    }
    #expect(log.entries == [])
    let first = observable.log(into: log, as: "a")
    let second = observable.log(into: log, as: "b")
    first.remove()
    first.remove()
    #expect(log.entries == ["connect", "a1", "connect", "b1", "disconnect"])
    second.remove()
    #expect(log.entries.last == "disconnect")
    #expect(log.entries.count == 6)
  }

  @Test("V5, create: the release of a token disconnects")
  func releasedToken() {
    let log = Log()
    let observable = Observable<Int>.create { _ in { log.add("disconnect") } }
    do {
      let token = observable.log(into: log)
      withExtendedLifetime(token) {
        #expect(log.entries == [])
      }
    }
    #expect(log.entries == ["disconnect"])
  }

  @Test("V4, V5, create: the end disconnects once, after its delivery", arguments: [true, false])
  func end(fails: Bool) {
    let log = Log()
    var source: Observer<Int>?
    let observable = Observable<Int>.create { observer in
      source = observer
      return { log.add("disconnect") }
    }
    let token = observable.log(into: log)
    source?.next(1)
    if fails { source?.fail(Broken()) } else { source?.finish() }
    source?.next(2)
    source?.finish()
    source?.fail(Broken())
    #expect(source?.isActive == false)
    #expect(log.entries == ["1", fails ? "error broken" : "done", "disconnect"])
    token.remove()
    #expect(log.entries.count == 3)
  }

  @Test("V5, create: a source that ends before its closure has returned is disconnected")
  func endInsideClosure() {
    let log = Log()
    let observable = Observable<Int>.create { observer in
      observer.next(1)
      observer.finish()
      observer.next(2)
      return { log.add("disconnect") }
    }
    let token = observable.log(into: log)
    #expect(log.entries == ["1", "done", "disconnect"])
    token.remove()
  }

  @Test("create: an endless loop ends when no observer is active")
  func endlessLoop() {
    let log = Log()
    let numbers = Observable<Int>.create { observer in
      var number = 0
      while observer.isActive {
        observer.next(number)
        number += 1
      }
      return { log.add("disconnect") }
    }
    let token = numbers.map { $0 * 2 }.filter { $0 % 4 == 0 }.take(3).log(into: log)
    #expect(log.entries == ["0", "4", "8", "done", "disconnect"])
    token.remove()
    let merged = Observable.merge(numbers, numbers).take(2).log(into: log, as: "m")
    #expect(log.entries.suffix(4) == ["m0", "m1", "mdone", "disconnect"])
    merged.remove()
    let flat = Observable.just(1).flatMap { _ in numbers }.take(2).log(into: log, as: "f")
    #expect(log.entries.suffix(4) == ["f0", "f1", "fdone", "disconnect"])
    flat.remove()
  }

  @Test("create, first: an endless loop ends with the first value, within a timeout as well")
  func endlessFirst() throws {
    let numbers = Observable<Int>.create { observer in
      while observer.isActive { observer.next(1) }
      return {}
    }
    let scheduler = TestScheduler()
    let value = try scheduler.run { try await numbers.first(timeout: .seconds(1), on: scheduler) }
    #expect(value == 1)
  }

  @Test("V1, create: a value that is sent during a delivery is delivered after it")
  func nestedValue() {
    let log = Log()
    var source: Observer<Int>?
    let observable = Observable<Int>.create { observer in
      source = observer
      return {}
    }
    let token = observable.subscribe { value in
      log.add("\(value)")
      if value == 1 {
        source?.next(2)
        source?.finish()
      }
      log.add("\(value) returns")
    }
    source?.next(1)
    #expect(log.entries == ["1", "1 returns", "2", "2 returns"])
    token.remove()
    // The subscriber and the observer hold each other, so the cycle is broken here.
    source = nil
  }

  @Test("V4, just, fail, empty: send their events to each subscriber")
  func justFailEmpty() {
    let log = Log()
    let tokens = [
      Observable.just(1).log(into: log), Observable<Int>.fail(Broken()).log(into: log),
      Observable<Int>.empty().log(into: log),
    ]
    #expect(log.entries == ["1", "done", "error broken", "done"])
    withExtendedLifetime(tokens) {}
  }
}

import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// The rows of the article about IndefiniteObservable. The comments show the code of that library.
struct IndefiniteObservableRows {
  @Test("IndefiniteObservable: every row of the article is executed")
  func article() throws {
    let rows = try rowsOfArticle("MigratingFromIndefiniteObservable")
    #expect(rows.sorted() == Self.all.keys.sorted())
  }

  @Test("IndefiniteObservable: the statement of the row is true", arguments: all.keys.sorted())
  func row(_ there: String) async throws {
    try await Self.all[there]?()
  }

  private static let all: [String: MigrationRow] = [
    "`IndefiniteObservable<O>`, `ValueObservable<T>`": {
      // The source connects for each subscriber, and does not end by itself.
      let log = Log()
      let observable: Observable<Int> = .create { observer in
        log.add("connect")
        observer.next(1)
        return {}
      }
      #expect(log.entries == [])
      let tokens = [observable.log(into: log), observable.log(into: log)]
      #expect(log.entries == ["connect", "1", "connect", "1"])
      withExtendedLifetime(tokens) {}
    },
    "`ValueObservable { observer in …; return disconnect }`": {
      let log = Log()
      let observable = Observable<Int>.create { observer in
        observer.next(1)
        return { log.add("disconnect") }
      }
      let token = observable.log(into: log)
      token.remove()
      token.remove()
      #expect(log.entries == ["1", "disconnect"])
    },
    "`observer.next(value)`": {
      let log = Log()
      let token = Observable<Int>.create { observer in
        observer.next(1)
        observer.finish()
        observer.next(2)
        return {}
      }.log(into: log)
      #expect(log.entries == ["1", "done"])
      token.remove()
    },
    "further channels, as members of an observer": {
      // observer.next(3); observer.state(.atRest)
      enum Motion: Equatable, Sendable { case value(Int), state(String) }
      let log = Log()
      let token = Observable<Motion>.create { observer in
        observer.next(.value(3))
        observer.next(.state("at rest"))
        return {}
      }.subscribe { motion in
        switch motion {
        case .value(let value): log.add("\(value)")
        case .state(let state): log.add(state)
        }
      }
      #expect(log.entries == ["3", "at rest"])
      token.remove()
    },
    "`noopDisconnect`": {
      let log = Log()
      let token = Observable<Int>.create { observer in
        observer.next(1)
        return {}
      }.log(into: log)
      token.remove()
      #expect(log.entries == ["1"])
    },
    "`subscribe(observer:)`": {
      // observable.subscribe(observer: ValueObserver { value in … })
      let log = Log()
      let subject = PublishSubject<Int>()
      let token = subject.subscribe { value in log.add("\(value)") }
      subject.update(1)
      #expect(log.entries == ["1"])
      token.remove()
    },
    "an observer that is an object": {
      // The same block added twice is two observers, and each token removes its own observer.
      let log = Log()
      let subject = PublishSubject<Int>()
      let block: @Sendable (Int) -> Void = { value in log.add("\(value)") }
      let tokens = [subject.subscribe(block), subject.subscribe(block)]
      subject.update(1)
      tokens[0].remove()
      subject.update(2)
      #expect(log.entries == ["1", "1", "2"])
      tokens[1].remove()
    },
    "`Subscription`, `unsubscribe()`": {
      let log = Log()
      let subject = PublishSubject<Int>()
      let token: any SimpleEventToken = subject.log(into: log)
      token.remove()
      token.remove()
      subject.update(1)
      #expect(log.entries == [])
    },
    "`Subscription { … }`": {
      let log = Log()
      let subscription: any SimpleEventToken = Disposable { log.add("unsubscribed") }
      subscription.remove()
      subscription.remove()
      #expect(log.entries == ["unsubscribed"])
    },
    "`map` and `filter` in the guides": {
      let log = Log()
      let subject = PublishSubject<Int>()
      let token = subject.filter { $0 % 2 == 0 }.map { "\($0 * 10)" }.log(into: log)
      for value in 1...4 { subject.update(value) }
      #expect(log.entries == ["20", "40"])
      token.remove()
    },
  ]
}

import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// The rows of the article about LightweightObservable. The comments show the code of that library.
struct LightweightObservableRows {
  @Test("LightweightObservable: every row of the article is executed")
  func article() throws {
    let rows = try rowsOfArticle("MigratingFromLightweightObservable")
    #expect(rows.sorted() == Self.all.keys.sorted())
  }

  @Test("LightweightObservable: the statement of the row is true", arguments: all.keys.sorted())
  func row(_ there: String) async throws {
    try await Self.all[there]?()
  }

  private static let all: [String: MigrationRow] = [
    "`Observable<T>`": {
      // var title: Observable<String> { titleSubject }
      let titleSubject = Variable("a")
      var title: Observable<String> { titleSubject }
      let log = Log()
      let token = title.log(into: log)
      titleSubject.update("b")
      #expect(log.entries == ["a", "b"])
      token.remove()
    },
    "`observable.value`": {
      let subject = PublishSubject<Int>()
      var observable: Observable<Int> { subject }
      #expect(observable.value == nil)
      subject.update(1)
      #expect(observable.value == 1)
    },
    "`PublishSubject`, `Variable`": {
      let log = Log()
      let (subject, variable) = (PublishSubject<Int>(), Variable(1))
      subject.update(0)
      let tokens = [subject.log(into: log, as: "s"), variable.log(into: log, as: "v")]
      subject.update(2)
      variable.value = 3
      variable.update(4)
      #expect(log.entries == ["v1", "s2", "v3", "v4"])
      withExtendedLifetime(tokens) {}
    },
    "`subscribe { new, old in }`": {
      let log = Log()
      let variable = Variable(1)
      let token = variable.subscribe { new, old in log.add("\(old ?? 0) -> \(new)") }
      variable.value = 2
      #expect(log.entries == ["0 -> 1", "1 -> 2"])
      token.remove()
    },
    "`subscribe(filter:observer:)`": {
      // subject.subscribe(filter: { new, old in … }, observer: { new, old in … })
      let log = Log()
      let subject = PublishSubject<Int>()
      let token = subject.subscribe(
        filter: { new, old in new > (old ?? 0) }) { new, old in log.add("\(old ?? 0) -> \(new)") }
      for value in [1, 5, 2, 3] { subject.update(value) }
      // The filter receives every value, and the block receives the last value that passed the filter.
      #expect(log.entries == ["0 -> 1", "1 -> 5", "5 -> 3"])
      token.remove()
    },
    "`subscribeDistinct`": {
      let log = Log()
      let subject = PublishSubject<Int>()
      let tokens = [
        subject.subscribeDistinct { new, old in log.add("\(old ?? 0) -> \(new)") },
        subject.removeDuplicates().log(into: log),
      ]
      for value in [1, 1, 2] { subject.update(value) }
      #expect(log.entries == ["0 -> 1", "1", "1 -> 2", "2"])
      withExtendedLifetime(tokens) {}
    },
    "`bind(to:on:)`": {
      final class Label { var text: String = "", title: String? = nil }
      let variable = Variable("a")
      var label: Label? = Label()
      weak var weakLabel = label
      let tokens = [variable.bind(to: \.text, on: label!), variable.bind(to: \.title, on: label!)]
      #expect(label?.text == "a" && label?.title == "a")
      label = nil
      #expect(weakLabel == nil)
      variable.value = "b"
      withExtendedLifetime(tokens) {}
    },
    "`Disposable`": {
      // var disposable: Disposable? = subject.subscribe { … }; disposable = nil
      let log = Log()
      let subject = PublishSubject<Int>()
      var token: (any SimpleEventToken)? = subject.log(into: log)
      subject.update(1)
      token = nil
      subject.update(2)
      #expect(log.entries == ["1"])
      withExtendedLifetime(token) {}
    },
    "`Disposable { … }`": {
      let log = Log()
      var disposable: Disposable? = Disposable { log.add("disposed") }
      withExtendedLifetime(disposable) { #expect(log.entries == []) }
      disposable = nil
      #expect(log.entries == ["disposed"])
    },
    "`DisposeBag`, `disposed(by: &bag)`": {
      let log = Log()
      let subject = PublishSubject<Int>()
      do {
        var bag = DisposeBag()
        subject.log(into: log).disposed(by: &bag)
        subject.log(into: log).disposed(by: bag)
        subject.update(1)
      }
      subject.update(2)
      #expect(log.entries == ["1", "1"])
    },
    "`bag.removeAll()`": {
      let log = Log()
      let subject = PublishSubject<Int>()
      let bag = DisposeBag()
      subject.log(into: log).disposed(by: bag)
      bag.disposeAll()
      subject.update(1)
      #expect(log.entries == [])
      subject.log(into: log).disposed(by: bag)
      subject.update(2)
      #expect(log.entries == ["2"])
    },
    "`extension Observable: Publisher`": {
      // Combine exists only on Apple platforms.
      #if canImport(Combine)
        let log = Log()
        let variable = Variable(1)
        let cancellable = variable.neverFailingPublisher().sink { log.add("\($0)") }
        variable.value = 2
        #expect(log.entries == ["1", "2"])
        cancellable.cancel()
      #endif
    },
    "`for await value in observable.values`": {
      let replay = ReplaySubject<Int>(bufferSize: 3)
      for value in 1...3 { replay.update(value) }
      replay.finish()
      var received: [Int] = []
      for try await value in replay.values { received.append(value) }
      for try await value in replay.values(buffering: .unbounded) { received.append(value) }
      #expect(received == [3, 1, 2, 3])
    },
  ]
}

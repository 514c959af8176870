import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// `catch`, `retry` and `startWith`: operators that subscribe to one source after another.
struct RecoveryTests {
  @Test("V4, catch: the observable for the error follows, and its end is sent")
  func caught() {
    let (subject, log) = (PublishSubject<Int>(), Log())
    let token = subject.catch { error in .just("\(error)".count) }.log(into: log)
    subject.update(1)
    subject.fail(Broken())
    #expect(log.entries == ["1", "6", "done"])
    token.remove()
  }

  @Test("V5, catch: a removal disconnects the observable that follows an error")
  func caughtRemoval() {
    var open = 0
    let source = Observable<Int>.create { _ in
      open += 1
      return { open -= 1 }
    }
    let token = Observable.fail(Broken()).catch { _ in source }.subscribe { _ in }
    #expect(open == 1)
    token.remove()
    #expect(open == 0)
  }

  /// Returns a source that sends the number of its connection, and then fails or stays open.
  ///
  /// - Parameter isElsewhere: Whether it fails on another thread, for which the connection waits.
  private func source(
    failing failures: Int, isElsewhere: Bool = false, _ log: Log
  ) -> Observable<Int> {
    var connections = 0
    return .create { observer in
      connections += 1
      observer.next(connections)
      if connections <= failures {
        isElsewhere ? onThreads(1) { _ in observer.fail(Broken()) } : observer.fail(Broken())
      }
      return { [connections] in log.add("disconnect \(connections)") }
    }
  }

  @Test(
    "V5, catch: a source that fails while it is being connected is disconnected before the next is connected",
    arguments: [false, true])
  func caughtConnection(isElsewhere: Bool) {
    let log = Log()
    let source = source(failing: 1, isElsewhere: isElsewhere, log)
    let token = source.catch { _ in source }.log(into: log)
    #expect(log.take() == ["1", "disconnect 1", "2"])
    token.remove()
    #expect(log.entries == ["disconnect 2"])
  }

  @Test("V4, V5, retry: connects again after an error, and disconnects each connection once")
  func retried() {
    let log = Log()
    let token = source(failing: 2, log).retry(2).log(into: log)
    #expect(log.entries == ["1", "disconnect 1", "2", "disconnect 2", "3"])
    token.remove()
    token.remove()
    #expect(log.entries.suffix(1) == ["disconnect 3"])
  }

  @Test("V4, retry: the error of the last subscription is sent", arguments: [-1, 0, 1])
  func exhausted(count: Int) {
    let log = Log()
    let token = source(failing: 5, log).retry(count).log(into: log)
    #expect(log.entries.filter { $0 == "error broken" }.count == 1)
    #expect(log.entries.filter { $0.hasPrefix("disconnect") }.count == max(0, count) + 1)
    token.remove()
  }

  @Test("V5: a source is disconnected before it, or the source that follows it, is connected")
  func oneConnection() {
    let log = Log()
    var newest: Observer<Int>?
    var open = 0
    let source = Observable<Int>.create { observer in
      newest = observer
      open += 1
      log.add("\(open) open")
      return { open -= 1 }
    }
    let operators: [(values: Observable<Int>, fails: Bool)] = [
      (source.retry(1), true), (source.catch { _ in source }, true),
      (Observable.just(2).startWith(1).concatMap { _ in source }, false),
    ]
    for (values, fails) in operators {
      let token = values.subscribe { log.add("\($0)") }
      fails ? newest?.fail(Broken()) : newest?.finish()
      newest?.next(7)
      token.remove()
      #expect(log.take() == ["1 open", "1 open", "7"])
      #expect(open == 0)
    }
  }

  @Test("V7, V8, retry: a source that fails immediately is connected many times without nesting")
  func manyRetries() {
    var connections = 0
    let log = Log()
    let source = Observable<Int>.create { observer in
      connections += 1
      observer.fail(Broken())
      return {}
    }
    let token = source.retry(Stress.size(100_000)).log(into: log)
    #expect(connections == Stress.size(100_000) + 1)
    #expect(log.entries == ["error broken"])
    token.remove()
  }

  @Test("V1, startWith: its values come before the values that the source replays")
  func started() {
    let log = Log()
    let variable = Variable(3)
    let token = variable.startWith(1, 2).log(into: log)
    variable.value = 4
    #expect(log.entries == ["1", "2", "3", "4"])
    token.remove()
  }

  @Test("E6, startWith: a subscriber that leaves during the first value receives nothing more")
  func startedRemoval() {
    let log = Log()
    let token = Variable(3).startWith(1, 2).take(1).log(into: log)
    #expect(log.entries == ["1", "done"])
    token.remove()
  }

  @Test("V1, concatMap: observables are connected one after the other, in the order of the values")
  func concatenated() {
    let (outer, log) = (PublishSubject<Int>(), Log())
    let inner = (0..<3).map { _ in PublishSubject<Int>() }
    let token = outer.concatMap { index in
      log.add("made \(index)")
      return inner[index]
    }.log(into: log)
    for index in 0..<3 { outer.update(index) }
    inner[1].update(9)
    inner[0].update(1)
    inner[0].finish()
    inner[1].update(2)
    outer.finish()
    inner[1].finish()
    inner[2].update(3)
    inner[2].finish()
    #expect(log.entries == ["made 0", "made 1", "made 2", "1", "2", "3", "done"])
    token.remove()
  }

  @Test("V8, concatMap: many queued observables that finish immediately do not nest")
  func manyConcatenated() {
    let (outer, gate) = (PublishSubject<Int>(), PublishSubject<Int>())
    var count = 0
    let token = outer.concatMap { $0 == 0 ? gate : .just($0) }.subscribe { _ in count += 1 }
    for number in 0...Stress.size(100_000) { outer.update(number) }
    #expect(count == 0)
    gate.finish()
    #expect(count == Stress.size(100_000))
    token.remove()
  }
}

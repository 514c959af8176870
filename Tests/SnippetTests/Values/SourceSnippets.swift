import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import Testing

// The snippets of the documentation of SimpleObservables that make observables of other sources.

private final class Inbox {
  private(set) var count = 0
  let didChange = SimpleEvent()

  func add() {
    count += 1
    didChange.trigger()
  }
}

private struct Location {}

private final class Tracker {
  private(set) var handlers: [Int: (Location) -> Void] = [:]

  func addHandler(_ handler: @escaping (Location) -> Void) -> Int {
    handlers[1] = handler
    return 1
  }
  func removeHandler(_ id: Int) { handlers[id] = nil }
}

extension Observable {
  /// The values of this observable, until the other one sends a value.
  func take(until other: Observable<some Any>) -> Observable<Value> {
    .create { observer in
      let bag = DisposeBag()
      other.subscribe { _ in observer.finish() }.disposed(by: bag)
      self.subscribe(
        onNext: { observer.next($0) }, onError: { observer.fail($0) }, onDone: { observer.finish() }
      ).disposed(by: bag)
      return { bag.disposeAll() }
    }
  }

  /// The values of this observable, each of them later.
  func delay(_ duration: Duration, on scheduler: some EventScheduler) -> Observable<Value> {
    flatMap { value in
      Observable<EventInstant>.ticks(every: duration, repeats: false, on: scheduler).map { _ in value }
    }
  }

  /// The values of this observable, and after its end those of the other one.
  func concat(_ other: Observable<Value>) -> Observable<Value> {
    Observable<Observable<Value>>.empty().startWith(self, other).concatMap { $0 }
  }
}

struct SourceSnippets {
  @Test("Documentation: a custom operator ends, disconnects and delays")
  func operators() {
    let scheduler = TestScheduler()
    let (values, signal) = (PublishSubject<Int>(), PublishSubject<Void>())
    var received: [String] = []
    let token = values.take(until: signal).delay(.seconds(1), on: scheduler).concat(.just(9)).subscribe(
      onNext: { received.append("\($0)") }, onDone: { received.append("end") })
    values.update(1)
    scheduler.advance(by: .milliseconds(500))
    values.update(2)
    scheduler.advance(by: .milliseconds(500))
    #expect(received == ["1"])
    signal.update(())
    values.update(3)
    scheduler.advance(by: .seconds(1))
    #expect(received == ["1", "2", "9", "end"])
    token.remove()
  }

  @Test("Documentation: an observable connects to a source and disconnects from it")
  func create() {
    let tracker = Tracker()
    let locations = Observable.create { observer in
      let id = tracker.addHandler { location in observer.next(location) }
      return { tracker.removeHandler(id) }
    }
    locations.subscribe { _ in }.remove()
    #expect(tracker.handlers.isEmpty)
  }

  @Test("Documentation: an observable of an event sends the value first, and after each change")
  func event() {
    let inbox = Inbox()
    let counts = Observable.create { observer in
      let token = inbox.didChange.addObserver { _ in observer.next(inbox.count) }
      observer.next(inbox.count)
      return { token?.remove() }
    }
    var received: [Int] = []
    let token = counts.subscribe { received.append($0) }
    inbox.add()
    token.remove()
    inbox.add()
    #expect(received == [0, 1])
  }
}

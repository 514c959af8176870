import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// An observable of the user's own, with the three methods that MMMObservables asked for.
private final class Station: SimpleEventObservable {
  private let hub = ObserverHub<SimpleEventObserver>()
  private let log: Log

  init(_ log: Log) {
    self.log = log
  }

  func addObserver(_ token: inout SimpleEventToken?, _ block: @escaping ObserverBlock) {
    log.add("block")
    let observer = StationToken(self, block)
    hub.add(observer)
    token = observer
  }

  func addObserver(_ observer: SimpleEventObserver) {
    log.add("observer")
    hub.add(observer)
  }

  func removeObserver(_ observer: SimpleEventObserver) {
    log.add("removed")
    hub.remove(observer)
  }

  func broadcast() {
    hub.forEach { $0.simpleEventDidTrigger(self) }
  }
}

/// A token of the user's own.
private final class StationToken: SimpleEventToken, SimpleEventObserver {
  private var station: Station?
  private let block: SimpleEventObservable.ObserverBlock

  init(_ station: Station, _ block: @escaping SimpleEventObservable.ObserverBlock) {
    self.station = station
    self.block = block
  }

  deinit {
    remove()
  }

  func remove() {
    station?.removeObserver(self)
    station = nil
  }

  func simpleEventDidTrigger(_ event: SimpleEventObservable) {
    block(event)
  }
}

/// An observable that forwards to another one.
private final class Repeater: SimpleEventObservable {
  private let base: SimpleEventObservable

  init(_ base: SimpleEventObservable) {
    self.base = base
  }

  func addObserver(_ token: inout SimpleEventToken?, _ block: @escaping ObserverBlock) {
    base.addObserver(&token, block)
  }

  func addObserver(_ observer: SimpleEventObserver) {
    base.addObserver(observer)
  }

  func removeObserver(_ observer: SimpleEventObserver) {
    base.removeObserver(observer)
  }
}

/// A protocol of the user's own that asks for more.
private protocol NamedEvent: SimpleEventObservable {
  var name: String { get }
}

extension Station: NamedEvent {
  fileprivate var name: String { "station" }
}

extension SimpleEventObservable {
  /// A way to observe of the user's own, on all observables.
  fileprivate func observe<Owner: AnyObject>(
    for owner: Owner, _ block: @escaping (Owner) -> Void
  ) -> SimpleEventToken? {
    addObserver { [weak owner] _ in
      owner.map(block)
    }
  }
}

@Suite struct ConformingTypeTests {
  private let log = Log()
  private let calls = Log()

  private func called(_ event: SimpleEventObservable) {
    calls.add("\(type(of: event))")
  }

  @Test func `with a token, through the concrete type`() {
    let station = Station(log)
    var token: SimpleEventToken?
    station.addObserver(&token) { event in called(event) }
    station.broadcast()
    token?.remove()
    station.broadcast()
    #expect(calls.entries == ["Station"])
    #expect(log.entries == ["block", "removed"])
  }

  @Test func `with a token, through the protocol`() {
    let station = Station(log)
    let observable: SimpleEventObservable = station
    var token: SimpleEventToken?
    observable.addObserver(&token, called)
    station.broadcast()
    token = nil
    station.broadcast()
    #expect(calls.entries == ["Station"])
    #expect(log.entries == ["block", "removed"])
  }

  @Test func `with the token returned, through both`() {
    let station = Station(log)
    let observable: NamedEvent = station
    var tokens = [station.addObserver(called), observable.addObserver { event in called(event) }]
    station.broadcast()
    tokens[0] = nil
    station.broadcast()
    #expect(calls.entries == ["Station", "Station", "Station"])
    #expect(log.entries == ["block", "block", "removed"])
    #expect(tokens[1] != nil)
  }

  @Test func `in delegate style, through both`() {
    let station = Station(log)
    let observable: SimpleEventObservable = station
    var counter: PlayCounter? = PlayCounter(observable, log: calls)
    let other = PlayCounter(log: calls)
    station.addObserver(other)
    station.broadcast()
    #expect(calls.entries == ["event 0", "event unknown"])
    observable.removeObserver(other)
    counter = nil
    station.broadcast()
    #expect(calls.entries.count == 2)
    #expect(counter == nil)
    #expect(log.entries == ["observer", "observer", "removed", "removed"])
  }

  @Test func `as the source of a proxy`() {
    let scheduler = TestScheduler()
    let station = Station(log)
    var proxy: SimpleEventProxy? = SimpleEventProxy(scheduler: scheduler, events: station, Repeater(station))
    let recorder = proxy.map { EventRecorder($0, scheduler: scheduler) }
    station.broadcast()
    scheduler.run()
    #expect(recorder?.count == 1)
    proxy = nil
    #expect(log.entries == ["block", "block", "removed", "removed"])
  }

  @Test func `in a group observer`() {
    let scheduler = TestScheduler()
    let station = Station(log)
    let other = SimpleEvent()
    let observer = SimpleEventGroupObserver(
      events: other, station, policy: .nextTurn, scheduler: scheduler
    ) { [calls] fired in
      calls.add(fired.map { $0 === station ? "station" : "other" }.joined(separator: " "))
    }
    station.broadcast()
    other.trigger()
    scheduler.run()
    station.broadcast()
    scheduler.run()
    #expect(calls.entries == ["station other", "station"])
    observer.remove()
    #expect(log.entries == ["block", "removed"])
  }

  @Test func `in a group observer, forwarding to another observable`() {
    let scheduler = TestScheduler()
    let event = SimpleEvent()
    let repeater = Repeater(event)
    let observer = SimpleEventGroupObserver(events: [repeater], policy: .nextTurn, scheduler: scheduler) {
      [calls] fired in
      calls.add(fired.map { $0 === repeater ? "repeater" : "unknown" }.joined(separator: " "))
    }
    event.trigger()
    scheduler.run()
    #expect(calls.entries == ["repeater"])
    observer.remove()
  }

  @Test func `forwarding to another observable`() {
    let event = SimpleEvent()
    let repeater = Repeater(event)
    let observable: SimpleEventObservable = Repeater(repeater)
    var token: SimpleEventToken?
    repeater.addObserver(&token, called)
    let second = observable.addObserver(called)
    let counter = PlayCounter(observable, log: log)
    event.trigger()
    #expect(calls.entries == ["SimpleEvent", "SimpleEvent"])
    // What an observer is given is the event at the end of the chain.
    #expect(log.entries == ["event unknown"])
    withExtendedLifetime((counter, second)) {}
  }

  @Test func `with an extension of the user's own`() {
    let station = Station(log)
    let event = SimpleEvent()
    var owner: Log? = Log()
    let tokens = [station, event].map { (observable: SimpleEventObservable) in
      owner.flatMap { owner in observable.observe(for: owner) { [calls] _ in calls.add("owner") } }
    }
    station.broadcast()
    event.trigger()
    #expect(calls.entries == ["owner", "owner"])
    owner = nil
    station.broadcast()
    event.trigger()
    #expect(calls.entries.count == 2)
    #expect(tokens.allSatisfy { $0 != nil })
  }
}

import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// A client's types that conform to `SimpleEventObservable`.
struct ConformingTypeTests {
  private let log = Log()
  private let calls = Log()

  private func called(_ event: SimpleEventObservable) {
    calls.add("\(type(of: event))")
  }

  @Test("SimpleEventObservable: a block is called until its token is removed, on the concrete type")
  func tokenThroughConcreteType() {
    let station = Station(log)
    var token: SimpleEventToken?
    station.addObserver(&token) { event in called(event) }
    station.broadcast()
    token?.remove()
    station.broadcast()
    #expect(calls.entries == ["Station"])
    #expect(log.entries == ["block", "removed"])
  }

  @Test("SimpleEventObservable: a block is called until its token is removed, on the protocol")
  func tokenThroughProtocol() {
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

  @Test("SimpleEventObservable: a block whose token is returned is called, on the type and the protocol")
  func returnedToken() {
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

  @Test("SimpleEventObservable: an observer in delegate style is called, on the type and the protocol")
  func delegate() {
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

  @Test("E7: a conforming type is the source of a proxy")
  func sourceOfProxy() {
    let scheduler = TestScheduler()
    let station = Station(log)
    var proxy: SimpleEventProxy? = SimpleEventProxy(of: station, Repeater(station), on: scheduler)
    let recorder = proxy.map { EventRecorder($0, on: scheduler) }
    station.broadcast()
    scheduler.run()
    #expect(recorder?.count == 1)
    proxy = nil
    #expect(log.entries == ["block", "block", "removed", "removed"])
  }

  @Test("E8: a conforming type is observed by a group observer")
  func groupObserver() {
    let scheduler = TestScheduler()
    let station = Station(log)
    let other = SimpleEvent()
    let observer = SimpleEventGroupObserver(of: other, station, on: scheduler, policy: .nextTurn) {
      [calls] fired in
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

  @Test("E8: a group observer receives an observable that forwards, not the observable behind it")
  func groupObserverOfForwarder() {
    let scheduler = TestScheduler()
    let event = SimpleEvent()
    let repeater = Repeater(event)
    let observer = SimpleEventGroupObserver(of: [repeater], on: scheduler, policy: .nextTurn) {
      [calls] fired in
      calls.add(fired.map { $0 === repeater ? "repeater" : "unknown" }.joined(separator: " "))
    }
    event.trigger()
    scheduler.run()
    #expect(calls.entries == ["repeater"])
    observer.remove()
  }

  @Test("SimpleEventObservable: a conforming type may forward to another observable")
  func forwarding() {
    let event = SimpleEvent()
    let repeater = Repeater(event)
    let observable: SimpleEventObservable = Repeater(repeater)
    var token: SimpleEventToken?
    repeater.addObserver(&token, called)
    let second = observable.addObserver(called)
    let counter = PlayCounter(observable, log: log)
    event.trigger()
    #expect(calls.entries == ["SimpleEvent", "SimpleEvent"])
    // The observer receives the event at the end of the chain of observables.
    #expect(log.entries == ["event unknown"])
    withExtendedLifetime((counter, second)) {}
  }

  @Test("SimpleEventObservable: a client's extension works on all observables")
  func extensionOfClient() {
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

import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// The examples of IndefiniteObservable's README, written with this package's API.
struct IndefiniteObservableSamples {
  let log: Log = Log()

  @Test("IndefiniteObservable: the example of a synchronous stream works")
  func synchronousStream() {
    let observable = Observable.create { observer in
      observer.next("value")
      return {}
    }
    let token = observable.subscribe { value in log.add(value) }
    #expect(log.entries == ["value"])
    token.remove()
  }

  @Test("IndefiniteObservable: the example of an asynchronous stream with blocks works")
  func asynchronousStream() {
    let button = Button()

    let taps = Observable<Int>.create { observer in
      let someToken = button.registerCallback { callbackValue in
        observer.next(callbackValue)
      }

      return {
        button.unregisterCallback(someToken)
      }
    }

    // Subscribe…
    let subscription = taps.subscribe { value in log.add("\(value)") }
    button.tap(1)

    // … and unsubscribe, which disconnects.
    subscription.remove()
    button.tap(2)
    #expect(log.entries == ["1"])
    #expect(button.callbacks.isEmpty)
  }

  @Test("IndefiniteObservable: the example of a stream with objects works")
  func streamWithObjects() {
    let pan = PanGesture()
    let dragStream = Observable.create { observer in
      DragConnection(subscribedTo: pan, observer: observer).disconnect
    }

    let subscription = dragStream.subscribe { drag in log.add("\(drag.state) \(drag.location)") }
    pan.move(to: 3)
    subscription.remove()
    pan.move(to: 4)
    #expect(log.entries == ["possible 0", "changed 3"])
  }

  @Test("IndefiniteObservable: the example of operators works")
  func operators() {
    let token = Observable.create { observer in
      for number in 1...4 { observer.next(number) }
      return {}
    }
    .filter { $0 % 2 == 0 }
    .map { $0 * 10 }
    .subscribe { log.add("\($0)") }
    #expect(log.entries == ["20", "40"])
    token.remove()
  }
}

/// The producer of the example. It forwards a gesture's changes to an observer.
private final class DragConnection {
  typealias Value = (state: String, location: Int)

  private var gesture: PanGesture?
  private let observer: Observer<Value>

  init(subscribedTo gesture: PanGesture, observer: Observer<Value>) {
    self.gesture = gesture
    self.observer = observer

    gesture.target = { [self] gesture in didPan(gesture) }

    // Populate the observer with the current state.
    observer.next(currentValue(for: gesture))
  }

  func didPan(_ gesture: PanGesture) {
    observer.next(currentValue(for: gesture))
  }

  func currentValue(for gesture: PanGesture) -> Value {
    (gesture.state, gesture.location)
  }

  func disconnect() {
    gesture?.target = nil
    gesture = nil
  }
}

/// A stand-in for a gesture recogniser.
private final class PanGesture {
  var state: String = "possible"
  var location: Int = 0
  var target: ((PanGesture) -> Void)?

  func move(to location: Int) {
    self.location = location
    state = "changed"
    target?(self)
  }
}

/// A stand-in for an API that takes callbacks.
private final class Button {
  private(set) var callbacks: [Int: (Int) -> Void] = [:]
  private var lastID: Int = 0

  func registerCallback(_ callback: @escaping (Int) -> Void) -> Int {
    lastID += 1
    callbacks[lastID] = callback
    return lastID
  }

  func unregisterCallback(_ id: Int) {
    callbacks[id] = nil
  }

  func tap(_ value: Int) {
    for callback in callbacks.values { callback(value) }
  }
}

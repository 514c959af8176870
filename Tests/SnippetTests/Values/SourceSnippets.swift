import SimpleEvents
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

@Suite struct SourceSnippets {
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

  @Test("Documentation: an observable of an event sends the value at first and after each change")
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

import SimpleEvents
import TestSupport

/// An observer in delegate style that adds itself, and removes itself in its `deinit`.
final class PlayCounter: SimpleEventObserver {
  private let events: [SimpleEventObservable]
  private let log: Log

  init(_ events: SimpleEventObservable..., log: Log) {
    self.events = events
    self.log = log
    for event in events {
      event.addObserver(self)
    }
  }

  deinit {
    for event in events {
      event.removeObserver(self)
    }
  }

  func simpleEventDidTrigger(_ event: SimpleEventObservable) {
    let index = events.firstIndex { $0 === event }
    log.add("event \(index.map { String($0) } ?? "unknown")")
  }
}

import SimpleEvents
import TestSupport

/// A client's observable that implements the three classic methods.
final class Station: SimpleEventObservable {
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

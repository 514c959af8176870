import SimpleEvents

/// A client's token.
final class StationToken: SimpleEventToken, SimpleEventObserver {
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

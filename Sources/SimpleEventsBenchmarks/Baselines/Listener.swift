internal import SimpleEvents

/// An observer in delegate style, of our events and of the baselines' lists.
final class Listener: SimpleEventObserver, ListObserver {
  private let sink: Sink

  init(_ sink: Sink) {
    self.sink = sink
  }

  func simpleEventDidTrigger(_ event: any SimpleEventObservable) {
    sink.hit()
  }

  func listDidChange(_ list: AnyObject) {
    sink.hit()
  }
}

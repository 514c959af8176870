internal import SimpleEvents

/// An observer in delegate style, for the library's events and for the lists of the alternatives.
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

import SimpleEvents

/// A protocol of the client's own that requires more.
protocol NamedEvent: SimpleEventObservable {
  var name: String { get }
}

extension Station: NamedEvent {
  var name: String { "station" }
}

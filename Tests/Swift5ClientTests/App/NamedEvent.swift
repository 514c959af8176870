import SimpleEvents

/// A client's protocol with additional requirements.
protocol NamedEvent: SimpleEventObservable {
  var name: String { get }
}

extension Station: NamedEvent {
  var name: String { "station" }
}

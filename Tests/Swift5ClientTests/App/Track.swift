import SimpleEvents

/// The interface of a track that a player's screens use.
protocol Track: AnyObject {
  var title: String { get }
  var artist: String { get }
  var didChange: SimpleEventObservable { get }
}

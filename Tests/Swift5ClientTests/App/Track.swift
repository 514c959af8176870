import SimpleEvents

/// The interface of a track for the screens of a player.
protocol Track: AnyObject {
  var title: String { get }
  var artist: String { get }
  var didChange: SimpleEventObservable { get }
}

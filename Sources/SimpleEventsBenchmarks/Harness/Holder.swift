/// Keeps what a trial needs alive, and what it makes while it runs.
final class Holder<Element> {
  var items: [Element] = []

  /// - Parameter capacity: Room to set aside now, so that the heap a run takes is not the holder's own.
  init(capacity: Int) {
    items.reserveCapacity(capacity)
  }

  init(_ items: [Element]) {
    self.items = items
  }
}

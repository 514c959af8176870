/// Retains the objects of a trial.
final class Box<Element> {
  var items: [Element] = []

  /// - Parameter capacity: The capacity to reserve now, so that the box does not allocate during a run.
  init(capacity: Int) {
    items.reserveCapacity(capacity)
  }

  init(_ items: [Element]) {
    self.items = items
  }
}

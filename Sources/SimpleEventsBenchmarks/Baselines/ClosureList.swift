/// Observers in their usual form: an array of closures, called in a loop.
final class ClosureList {
  private var closures: [() -> Void] = []

  func add(_ closure: @escaping () -> Void) {
    closures.append(closure)
  }

  func notify() {
    for closure in closures {
      closure()
    }
  }
}

/// Observers that can be removed: a dictionary of closures by number.
final class ClosureTable {
  private var closures: [Int: () -> Void] = [:]
  private var lastID: Int = 0

  func add(_ closure: @escaping () -> Void) -> Int {
    lastID += 1
    closures[lastID] = closure
    return lastID
  }

  func remove(_ id: Int) {
    closures[id] = nil
  }
}

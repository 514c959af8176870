/// An observable value in its usual form: a property and an array of closures.
final class ValueList {
  private var closures: [(Int) -> Void] = []

  private(set) var value: Int = 0

  func add(_ closure: @escaping (Int) -> Void) {
    closures.append(closure)
  }

  func set(_ newValue: Int) {
    value = newValue
    for closure in closures {
      closure(newValue)
    }
  }
}

/// Closures that can be removed: an array with a number for each closure. A removal searches the array.
final class IdentifiedValueList {
  private var entries: [(id: Int, closure: (Int) -> Void)] = []
  private var lastID: Int = 0

  func add(_ closure: @escaping (Int) -> Void) -> Int {
    lastID += 1
    entries.append((lastID, closure))
    return lastID
  }

  func remove(_ id: Int) {
    if let index = entries.firstIndex(where: { $0.id == id }) {
      entries.remove(at: index)
    }
  }

  func send(_ value: Int) {
    for entry in entries {
      entry.closure(value)
    }
  }
}

/// Closures that can be removed: a dictionary by number. A removal needs no search, but calls have no order.
final class ValueTable {
  private var closures: [Int: (Int) -> Void] = [:]
  private var lastID: Int = 0

  func add(_ closure: @escaping (Int) -> Void) -> Int {
    lastID += 1
    closures[lastID] = closure
    return lastID
  }

  func remove(_ id: Int) {
    closures[id] = nil
  }

  func send(_ value: Int) {
    for closure in closures.values {
      closure(value)
    }
  }
}

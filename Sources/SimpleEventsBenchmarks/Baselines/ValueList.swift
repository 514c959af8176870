/// An observable value as most programs have it: a property, and an array of closures to call with it.
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

/// The same with a way to leave: a number for each closure, looked for when it is removed.
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

/// The same without the search, and without an order.
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

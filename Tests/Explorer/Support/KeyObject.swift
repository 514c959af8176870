internal import ExplorerEngine

/// A key that is an object. It checks that no lock is held when it is deallocated.
// SAFETY: all fibers run on one thread.
final class KeyObject: Hashable, @unchecked Sendable {
  private let number: Int
  private let check: LeakCheckedObject

  init(_ number: Int, _ counter: Counter) {
    self.number = number
    check = LeakCheckedObject(counter)
  }

  static func == (lhs: KeyObject, rhs: KeyObject) -> Bool { lhs.number == rhs.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

internal import ExplorerEngine

/// A user's element. It must be hashed, compared, combined and released under no lock.
// SAFETY: all fibers run on one thread.
final class Parcel: Hashable, @unchecked Sendable {
  let key: Int
  let number: Int
  private let tracked: LeakCheckedObject

  init(_ key: Int, _ number: Int, _ alive: Counter) {
    self.key = key
    self.number = number
    tracked = LeakCheckedObject(alive)
  }

  static func == (one: Parcel, other: Parcel) -> Bool {
    expectUnlocked()
    step()
    return one.key == other.key
  }

  func hash(into hasher: inout Hasher) {
    expectUnlocked()
    hasher.combine(key)
  }
}

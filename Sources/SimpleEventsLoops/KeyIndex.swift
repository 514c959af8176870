/// The runs of each key of one loop. The lock of the loop guards the runs.
///
/// A *quiet* key is not in the index: it has nothing pending, no run in progress and no open window.
///
/// A step of the loop finds a key and changes its runs under one acquisition of the lock, because the key may
/// be forgotten between two acquisitions.
// NB: the methods are inlinable, as in `TimeQueue`.
@_fixed_layout @usableFromInline final class KeyIndex<Key: Hashable & Sendable> {
  // SAFETY: the runs are used under the lock of the loop only, so no two accesses overlap.
  @exclusivity(unchecked) @usableFromInline var runs: [Key: KeyedRun<Key>] = [:]

  @inlinable init() {}

  /// The runs of a key; nil if the key is not in the index.
  @inlinable func find(_ key: Key) -> KeyRun? { unsafe runs[key] }

  /// The runs of a key that gets a request. Adds the key if it is not in the index.
  @inlinable func findOrAdd(_ key: Key) -> KeyRun {
    if let run = unsafe runs[key] { return run }
    let run = KeyedRun(key)
    unsafe runs[key] = run
    return run
  }

  /// Removes a quiet key. The caller retains the object, and releases it after the lock is released.
  @inlinable func forget(_ run: KeyRun) {
    // SAFETY: this index has created the object.
    let key = unsafe unsafeDowncast(run, to: KeyedRun<Key>.self).key
    unsafe runs.removeValue(forKey: key)
    // The memory of many removed keys is released.
    if unsafe runs.capacity > 64 && runs.count < runs.capacity / 8 {
      unsafe runs = Dictionary(uniqueKeysWithValues: runs.map { ($0, $1) })
    }
  }
}

// SAFETY: keys and runs are Sendable, and are used under the lock of the loop.
extension KeyIndex: @unchecked Sendable {}

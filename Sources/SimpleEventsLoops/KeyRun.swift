internal import SimpleEvents

/// The runs of one key of a loop. The lock of the loop guards them.
///
/// The gates of the loop use this object as their key. Their code is therefore compiled once for all types of
/// keys.
///
/// The object exists from the first request for the key until the key is quiet.
@usableFromInline package class KeyRun {
  final var state: RunState = RunState()

  @usableFromInline init() {}

  /// The key.
  var value: any Sendable { fatalError("a run has a key") }

  /// The key, with the type of the keys of the loop.
  package final func key<Key: Hashable & Sendable>(as type: Key.Type) -> Key {
    // SAFETY: only the index of a loop creates these objects, and its keys have this type.
    unsafe unsafeDowncast(self, to: KeyedRun<Key>.self).key
  }
}

/// The runs of one key, together with the key.
// SAFETY: the state is used under the lock of the loop. The key is immutable.
@_fixed_layout @usableFromInline final class KeyedRun<Key: Hashable & Sendable>: KeyRun, @unchecked Sendable {
  @usableFromInline let key: Key

  @inlinable init(_ key: Key) {
    self.key = key
    super.init()
  }

  override var value: any Sendable { key }
}

extension KeyRun: Hashable, CustomStringConvertible {
  @usableFromInline package static func == (one: KeyRun, other: KeyRun) -> Bool { one === other }

  @usableFromInline package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The key, in diagnostics.
  @usableFromInline package var description: String { "\(value)" }
}

// SAFETY: the state is used under the lock of the loop.
extension KeyRun: @unchecked Sendable {}

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
    // If most of the capacity is unused, the keys move to a smaller dictionary, to release memory.
    if unsafe runs.capacity > 64 && runs.count < runs.capacity / 8 {
      unsafe runs = Dictionary(uniqueKeysWithValues: runs.map { ($0, $1) })
    }
  }
}

// SAFETY: keys and runs are Sendable, and are used under the lock of the loop.
extension KeyIndex: @unchecked Sendable {}

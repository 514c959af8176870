internal import SimpleEvents

/// The runs of one key of a loop. The lock of the loop guards them.
///
/// This object is the key of the gates, which are therefore compiled once for all types of keys.
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
// SAFETY: the proof of `KeyRun` holds. The key is immutable.
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

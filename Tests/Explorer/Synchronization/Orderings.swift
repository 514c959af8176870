/// The memory ordering of a load.
public struct AtomicLoadOrdering: Sendable {
  let acquires: Bool
  let isTotal: Bool

  /// No ordering.
  public static let relaxed: AtomicLoadOrdering = AtomicLoadOrdering(acquires: false, isTotal: false)
  /// The load acquires the vector clock that was released with the value.
  public static let acquiring: AtomicLoadOrdering = AtomicLoadOrdering(acquires: true, isTotal: false)
  /// The load also returns the latest value.
  public static let sequentiallyConsistent: AtomicLoadOrdering =
    AtomicLoadOrdering(acquires: true, isTotal: true)
}

/// The memory ordering of a store.
public struct AtomicStoreOrdering: Sendable {
  let releases: Bool

  /// No ordering.
  public static let relaxed: AtomicStoreOrdering = AtomicStoreOrdering(releases: false)
  /// The store releases the vector clock of its thread.
  public static let releasing: AtomicStoreOrdering = AtomicStoreOrdering(releases: true)
  /// The same as `releasing`, because the latest store is the last store in the total order of the model.
  public static let sequentiallyConsistent: AtomicStoreOrdering = AtomicStoreOrdering(releases: true)
}

/// The memory ordering of a read-modify-write.
public struct AtomicUpdateOrdering: Sendable {
  let acquires: Bool
  let releases: Bool

  /// No ordering.
  public static let relaxed: AtomicUpdateOrdering = AtomicUpdateOrdering(acquires: false, releases: false)
  /// The operation acquires the vector clock that was released with the value that it reads.
  public static let acquiring: AtomicUpdateOrdering = AtomicUpdateOrdering(acquires: true, releases: false)
  /// The operation releases the vector clock of its thread.
  public static let releasing: AtomicUpdateOrdering = AtomicUpdateOrdering(acquires: false, releases: true)
  /// The operation acquires and releases.
  public static let acquiringAndReleasing: AtomicUpdateOrdering =
    AtomicUpdateOrdering(acquires: true, releases: true)
  /// The operation acquires and releases. A read-modify-write reads the latest value in any case.
  public static let sequentiallyConsistent: AtomicUpdateOrdering =
    AtomicUpdateOrdering(acquires: true, releases: true)
}

/// The memory ordering of a load.
public struct AtomicLoadOrdering: Sendable {
  let acquires: Bool
  let isTotal: Bool

  /// No ordering.
  public static let relaxed: AtomicLoadOrdering = AtomicLoadOrdering(acquires: false, isTotal: false)
  /// The load acquires the knowledge that was released with the value.
  public static let acquiring: AtomicLoadOrdering = AtomicLoadOrdering(acquires: true, isTotal: false)
  /// In addition the load returns the latest value.
  public static let sequentiallyConsistent: AtomicLoadOrdering =
    AtomicLoadOrdering(acquires: true, isTotal: true)
}

/// The memory ordering of a store.
public struct AtomicStoreOrdering: Sendable {
  let releases: Bool

  /// No ordering.
  public static let relaxed: AtomicStoreOrdering = AtomicStoreOrdering(releases: false)
  /// The store releases the knowledge of its thread.
  public static let releasing: AtomicStoreOrdering = AtomicStoreOrdering(releases: true)
  /// As `releasing`, because the latest store is the last one in the total order of the model.
  public static let sequentiallyConsistent: AtomicStoreOrdering = AtomicStoreOrdering(releases: true)
}

/// The memory ordering of a read-modify-write.
public struct AtomicUpdateOrdering: Sendable {
  let acquires: Bool
  let releases: Bool

  /// No ordering.
  public static let relaxed: AtomicUpdateOrdering = AtomicUpdateOrdering(acquires: false, releases: false)
  /// The operation acquires the knowledge that was released with the value that it reads.
  public static let acquiring: AtomicUpdateOrdering = AtomicUpdateOrdering(acquires: true, releases: false)
  /// The operation releases the knowledge of its thread.
  public static let releasing: AtomicUpdateOrdering = AtomicUpdateOrdering(acquires: false, releases: true)
  /// Acquires and releases.
  public static let acquiringAndReleasing: AtomicUpdateOrdering =
    AtomicUpdateOrdering(acquires: true, releases: true)
  /// Acquires and releases, because a read-modify-write reads the latest value in any case.
  public static let sequentiallyConsistent: AtomicUpdateOrdering =
    AtomicUpdateOrdering(acquires: true, releases: true)
}

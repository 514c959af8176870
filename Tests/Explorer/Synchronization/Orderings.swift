/// The order that a load takes part in.
public struct AtomicLoadOrdering: Sendable {
  let acquires: Bool
  let isTotal: Bool

  /// No order at all.
  public static let relaxed: AtomicLoadOrdering = AtomicLoadOrdering(acquires: false, isTotal: false)
  /// The load knows all that was released with the value.
  public static let acquiring: AtomicLoadOrdering = AtomicLoadOrdering(acquires: true, isTotal: false)
  /// In addition the load returns the latest value.
  public static let sequentiallyConsistent: AtomicLoadOrdering =
    AtomicLoadOrdering(acquires: true, isTotal: true)
}

/// The order that a store takes part in.
public struct AtomicStoreOrdering: Sendable {
  let releases: Bool

  /// No order at all.
  public static let relaxed: AtomicStoreOrdering = AtomicStoreOrdering(releases: false)
  /// The store publishes all that its thread knows.
  public static let releasing: AtomicStoreOrdering = AtomicStoreOrdering(releases: true)
  /// As `releasing`, since here the latest store is the last one in the total order as well.
  public static let sequentiallyConsistent: AtomicStoreOrdering = AtomicStoreOrdering(releases: true)
}

/// The order that a read-modify-write takes part in.
public struct AtomicUpdateOrdering: Sendable {
  let acquires: Bool
  let releases: Bool

  /// No order at all.
  public static let relaxed: AtomicUpdateOrdering = AtomicUpdateOrdering(acquires: false, releases: false)
  /// The operation knows all that was released with the value it has read.
  public static let acquiring: AtomicUpdateOrdering = AtomicUpdateOrdering(acquires: true, releases: false)
  /// The operation publishes all that its thread knows.
  public static let releasing: AtomicUpdateOrdering = AtomicUpdateOrdering(acquires: false, releases: true)
  /// Both of these.
  public static let acquiringAndReleasing: AtomicUpdateOrdering =
    AtomicUpdateOrdering(acquires: true, releases: true)
  /// Both of these, since a read-modify-write reads the latest value in any case.
  public static let sequentiallyConsistent: AtomicUpdateOrdering =
    AtomicUpdateOrdering(acquires: true, releases: true)
}

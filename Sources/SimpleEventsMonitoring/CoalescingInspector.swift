public import SimpleEvents

/// A monitor that shows the current state of all coalescing objects.
///
/// ```swift
/// let inspector = CoalescingInspector()
/// CoalescingSystem.bootstrap(inspector)
/// // Later, for example on a signal or in a debugger:
/// print(inspector)
/// ```
///
/// The text has a table for each of these questions: What is pending or running, and for how long? Which
/// objects deliver most? Which observers are slow? How many signals become one delivery? What was lost, and
/// what fails? ``snapshot()`` returns the same information as data.
///
/// The memory of an inspector is proportional to the number of existing objects, plus a limited number of
/// ended ones. A delivery neither locks the inspector nor adds to its memory.
///
/// Contracts: W1 to W4, see the article *Contracts* of the module SimpleEvents.
public final class CoalescingInspector: CoalescingMonitor {
  /// A source with its statistics.
  public struct Entry: Sendable, Identifiable {
    /// The object that coalesces.
    public let source: CoalescingSource
    /// The counts and the state at one instant; for an ended source, the instant of its end.
    public let statistics: CoalescingStatistics

    /// The number of the source.
    public var id: Int { source.id }

    /// Whether the source has made more deliveries than another source. If both numbers are equal, the source
    /// with more signals is busier. If the signals are equal as well, the older source is busier.
    func isBusier(than other: Entry) -> Bool {
      (statistics.deliveryCount, statistics.signalCount, other.id)
        > (other.statistics.deliveryCount, other.statistics.signalCount, id)
    }
  }

  private struct State {
    /// The sources that have not ended, by their number.
    var open: [Int: CoalescingSource] = [:]
    /// Sources that have ended, with their last counts, in the order of their ends.
    var ended: Fifo<Entry> = Fifo()
    var forgottenCount: Int = 0
    var forgotten: CoalescingStatistics = CoalescingStatistics()
  }

  private let capacity: Int
  /// Guards the lists. A source retains its scheduler, which may be code of the user. The clock of a
  /// scheduler is therefore read, and a source is released, while the lock is not held.
  private let state: Guarded<State> = Guarded(State())

  /// Creates an inspector.
  ///
  /// - Parameter capacity: The number of ended sources to keep. The latest ones are kept, and earlier ones
  ///   are part of ``Snapshot/forgotten``.
  public init(capacity: Int = 100) { self.capacity = max(0, capacity) }

  /// Adds a source.
  public func created(_ source: CoalescingSource) {
    state.withLock { $0.open[source.id] = source }
  }

  /// Keeps an ended source with its last counts. If the limit is exceeded, the earliest ended source is
  /// forgotten.
  public func ended(_ source: CoalescingSource, unsent: Int) {
    let entry = Entry(source: source, statistics: source.statistics)
    // This entry is released after the lock is released.
    var forgotten: Entry?
    state.withLock { state in
      guard state.open.removeValue(forKey: source.id) != nil else { return }
      state.ended.append(entry)
      guard state.ended.count > capacity else { return }
      forgotten = state.ended.popFirst()
      state.forgottenCount += 1
      if let forgotten { state.forgotten.add(forgotten.statistics) }
    }
  }

  /// The sources with their statistics, busiest first.
  ///
  /// The counts of each source belong to one instant. The instants of two sources may differ by a moment.
  /// Every source that was created before the call is either an entry or forgotten.
  ///
  /// - Complexity: O(n log n) in the number of sources.
  public func snapshot() -> Snapshot {
    var open: [CoalescingSource] = []
    var snapshot = Snapshot()
    state.withLock { state in
      open.append(contentsOf: state.open.values)
      snapshot.entries = state.ended.all
      snapshot.forgottenCount = state.forgottenCount
      snapshot.forgotten = state.forgotten
    }
    snapshot.entries += open.map { Entry(source: $0, statistics: $0.statistics) }
    snapshot.entries.sort { $0.isBusier(than: $1) }
    return snapshot
  }
}

extension CoalescingInspector: CustomStringConvertible {
  /// The current snapshot as tables.
  public var description: String { snapshot().description }
}

/// A monitor that shows the state of everything that coalesces, at any time.
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
/// what fails? ``snapshot()`` has the same as data.
///
/// Memory is proportional to the objects that exist, and a number of those that have ended. A delivery takes
/// no lock of the inspector, and adds nothing to it.
///
/// Contracts: W1 to W4, see <doc:Contracts>.
public final class CoalescingInspector: CoalescingMonitor {
  /// A source with its statistics.
  public struct Entry: Sendable, Identifiable {
    /// The object that coalesces.
    public let source: CoalescingSource
    /// The counts and the state, which all belong to one instant; after the end of the source, to its end.
    public let statistics: CoalescingStatistics

    /// The number of the source.
    public var id: Int { source.id }

    /// Whether the source has made more deliveries than another one, has received more signals if they have
    /// made as many, and is the older one if these are equal.
    func isBusier(than other: Entry) -> Bool {
      (statistics.deliveries, statistics.signals, other.id)
        > (other.statistics.deliveries, other.statistics.signals, id)
    }
  }

  private struct State {
    /// The sources that have not ended, by their number.
    var open: [Int: CoalescingSource] = [:]
    /// Sources that have ended, with their last counts, in the order of their ends.
    var ended: Fifo<Entry> = Fifo()
    var forgottenCount: Int = 0
    var forgotten: CoalescingStatistics = CoalescingStatistics(now: .distantFuture)
  }

  private let endedLimit: Int
  /// Guards the lists. A source refers to its scheduler, which may be a client's: its clock is read, and it
  /// is released, outside the lock.
  private let state: Guarded<State> = Guarded(State())

  /// Creates an inspector.
  ///
  /// - Parameter endedLimit: The number of ended sources that are kept, the latest ones. Earlier ones are
  ///   part of ``Snapshot/forgotten``.
  public init(keepingEnded endedLimit: Int = 100) { self.endedLimit = max(0, endedLimit) }

  /// Adds a source.
  public func created(_ source: CoalescingSource) {
    state.withLock { $0.open[source.id] = source }
  }

  /// Keeps the source with its last counts, in the place of the earliest one that is kept.
  public func ended(_ source: CoalescingSource, unsent: Int) {
    let entry = Entry(source: source, statistics: source.statistics)
    // Released after the lock.
    var forgotten: Entry?
    state.withLock { state in
      guard state.open.removeValue(forKey: source.id) != nil else { return }
      state.ended.append(entry)
      guard state.ended.count > endedLimit else { return }
      forgotten = state.ended.popFirst()
      state.forgottenCount += 1
      if let forgotten { state.forgotten.add(forgotten.statistics) }
    }
  }

  /// The sources with their statistics, busiest first.
  ///
  /// The counts of each source belong to one instant, those of two sources may differ by a moment. Every
  /// source that was created before the call is either an entry or forgotten.
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
  /// The present snapshot as tables.
  public var description: String { snapshot().description }
}

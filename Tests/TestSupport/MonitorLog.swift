package import SimpleEvents

/// A monitor that records its calls, and checks the order of the calls for each source.
package final class MonitorLog: CoalescingMonitor {
  /// The calls for one source.
  package struct Record: Sendable {
    package let source: CoalescingSource
    package var deliveries: [CoalescingDelivery] = []
    package var discarded: Int = 0
    /// The number of signals that were pending at the end; nil before the end.
    package var unsent: Int?

    /// The number of signals that the monitor has received, as delivered, discarded or unsent.
    package var signals: Int {
      deliveries.reduce(discarded + (unsent ?? 0)) { $0 + $1.signalCount }
    }
  }

  private struct State {
    var entries: [String] = []
    var records: [Int: Record] = [:]
    var faults: [String] = []
  }

  /// Guards the record. No source is called under the lock.
  private let state: Guarded<State> = Guarded(State())

  package init() {}

  /// The calls in order. Times are in milliseconds.
  package var entries: [String] { state.withLock { $0.entries } }
  /// The calls for each source, in the order of creation.
  package var records: [Record] {
    state.withLock { $0.records.values.sorted { $0.source.id < $1.source.id } }
  }
  /// The calls that break the contract of monitors: calls before the creation of their source, or after its
  /// end.
  package var faults: [String] { state.withLock { $0.faults } }

  package func created(_ source: CoalescingSource) {
    state.withLock { state in
      if state.records[source.id] != nil { state.faults.append("\(source) was created twice") }
      state.records[source.id] = Record(source: source)
      state.entries.append("created \(source)")
    }
  }

  package func delivered(_ delivery: CoalescingDelivery) {
    let first = delivery.firstSignal.map { " since \($0.milliseconds)" } ?? ""
    let duration = delivery.duration > .zero ? " for \(delivery.duration / .milliseconds(1))" : ""
    let dropped = delivery.droppedCount > 0 ? ", \(delivery.droppedCount) dropped" : ""
    let error = delivery.error.map { ", \(type(of: $0))" } ?? ""
    note(
      delivery.source,
      "\(delivery.signalCount)\(first) at \(delivery.start.milliseconds)\(duration), \(delivery.cause)"
        + dropped + error
    ) { $0.deliveries.append(delivery) }
  }

  package func discarded(_ source: CoalescingSource, unsent: Int) {
    note(source, "discarded \(unsent)") { $0.discarded += unsent }
  }

  package func ended(_ source: CoalescingSource, unsent: Int) {
    note(source, "ended \(unsent)") { $0.unsent = unsent }
  }

  private func note(_ source: CoalescingSource, _ entry: String, _ change: (inout Record) -> Void) {
    state.withLock { state in
      state.entries.append(entry)
      guard var record = state.records[source.id], record.unsent == nil else {
        return state.faults.append("\(source): \(entry) before the creation or after the end")
      }
      change(&record)
      state.records[source.id] = record
    }
  }
}

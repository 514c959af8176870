internal import SimpleEvents

/// The text of an inspector's snapshot.
struct InspectorReport {
  let snapshot: CoalescingInspector.Snapshot

  /// A line with the sums, and each table that is not empty.
  var text: String {
    let names = names
    let tables = [now, busiest, slowest, mostCoalesced, mostLost, failed]
      .compactMap { $0.text(of: snapshot.entries) { names[$0.id] ?? "" } }
    return ([headline] + tables).joined(separator: "\n\n")
  }

  private var headline: String {
    let total = snapshot.total
    let forgotten = snapshot.forgotten
    let endedCount = snapshot.forgottenCount + snapshot.count { $0.statistics.isEnded }
    var text =
      "\(counted(snapshot.count + snapshot.forgottenCount, "source")), \(endedCount) ended: "
      + "\(counted(total.signalCount, "signal")), "
      + counted(total.deliveryCount, "delivery", plural: "deliveries")
    if snapshot.forgottenCount > 0 {
      text +=
        "\nnot shown: \(counted(snapshot.forgottenCount, "ended source")), "
        + "\(counted(forgotten.signalCount, "signal")), "
        + counted(forgotten.deliveryCount, "delivery", plural: "deliveries")
    }
    return text
  }

  /// The names of the sources. If several sources have the same name, each name includes the number of its
  /// source.
  private var names: [Int: String] {
    let groups = Dictionary(grouping: snapshot) { $0.source.description }
    var names: [Int: String] = [:]
    for (name, entries) in groups {
      for entry in entries { names[entry.id] = entries.count > 1 ? "\(name) #\(entry.id)" : name }
    }
    return names
  }

  private var now: InspectorTable {
    InspectorTable(
      title: "now", columns: ["pending", "for", "running", "for"], text: "policy",
      weight: {
        let time = [$0.pendingTime, $0.runningTime].compactMap(\.self).max()
        // A key that waits for a retry is pending, but has no pending signal and thus no time.
        return time.map(Self.weight) ?? ($0.pendingKeyCount > 0 ? 0 : nil)
      },
      cells: { source, statistics in
        [
          statistics.pendingSignalCount == 0 ? "-" : "\(statistics.pendingSignalCount)",
          statistics.pendingTime?.short ?? "-",
          statistics.runningSince.map { _ in "\(statistics.runningSignalCount)" } ?? "-",
          statistics.runningTime?.short ?? "-",
          [source.policy?.description, source.schedulerName.map { "on \($0)" }]
            .compactMap(\.self).joined(separator: " ") + Self.keys(statistics),
        ]
      })
  }

  private var busiest: InspectorTable {
    InspectorTable(
      title: "busiest", columns: ["deliveries", "signals"],
      // The entries are already sorted, busiest first.
      weight: { $0.signalCount > 0 ? 0 : nil },
      cells: { ["\($1.deliveryCount)", "\($1.signalCount)"] })
  }

  private var slowest: InspectorTable {
    InspectorTable(
      title: "slowest", columns: ["longest", "average", "longest wait", "average wait"],
      weight: {
        max($0.longestDuration, $0.longestLatency) > .zero ? Self.weight($0.longestDuration) : nil
      },
      cells: {
        [
          $1.longestDuration.short, $1.averageDuration.short, $1.longestLatency.short,
          $1.averageLatency.short,
        ]
      })
  }

  private var mostCoalesced: InspectorTable {
    InspectorTable(
      title: "most coalesced", columns: ["signals per delivery"],
      weight: { $0.signalsPerDelivery > 1 ? $0.signalsPerDelivery : nil },
      cells: { ["\(($1.signalsPerDelivery * 10).rounded() / 10)"] })
  }

  private var mostLost: InspectorTable {
    InspectorTable(
      title: "most lost", columns: ["discarded signals", "dropped elements"],
      weight: {
        let lost = $0.discardedSignalCount + $0.droppedCount
        return lost > 0 ? Double(lost) : nil
      },
      cells: { ["\($1.discardedSignalCount)", "\($1.droppedCount)"] })
  }

  private var failed: InspectorTable {
    InspectorTable(
      title: "failed", columns: ["failures", "in a row", "runs"], text: "latest error",
      weight: { $0.failureCount > 0 ? Double($0.consecutiveFailureCount) : nil },
      cells: {
        [
          "\($1.failureCount)", "\($1.consecutiveFailureCount)", "\($1.deliveryCount)",
          Self.latestError($1),
        ]
      })
  }

  /// A clause that counts the keys of a source; empty if no key is pending, running or failing.
  private static func keys(_ statistics: CoalescingStatistics) -> String {
    let counts = [
      (statistics.pendingKeyCount, "pending"), (statistics.runningKeyCount, "running"),
      (statistics.failingKeyCount, "failing"),
    ].filter { $0.0 > 0 }.map { "\($0) \($1)" }
    let oldest = statistics.oldestKey.map { ["oldest \($0)"] } ?? []
    return counts.isEmpty ? "" : "; keys: \((counts + oldest).joined(separator: ", "))"
  }

  private static func latestError(_ statistics: CoalescingStatistics) -> String {
    guard let error = statistics.latestError, let age = statistics.latestErrorAge else { return "" }
    return "\(error), \(age.short) ago"
  }

  private static func weight(_ duration: Duration) -> Double { duration / .seconds(1) }
}

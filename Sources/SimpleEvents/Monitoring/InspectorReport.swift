/// The text of an inspector's snapshot.
struct InspectorReport {
  let snapshot: CoalescingInspector.Snapshot

  /// A line with the sums, and each table that is not empty.
  var text: String {
    let names = names
    let tables = [now, busiest, slowest, mostCoalesced, mostLost, failing]
      .compactMap { $0.text(of: snapshot.entries) { names[$0.id] ?? "" } }
    return ([headline] + tables).joined(separator: "\n\n")
  }

  private var headline: String {
    let total = snapshot.total
    let forgotten = snapshot.forgotten
    let endedCount = snapshot.forgottenCount + snapshot.count { $0.statistics.isEnded }
    var text =
      "\(counted(snapshot.count + snapshot.forgottenCount, "source")), \(endedCount) ended: "
      + "\(counted(total.signals, "signal")), \(counted(total.deliveries, "delivery", plural: "deliveries"))"
    if snapshot.forgottenCount > 0 {
      text +=
        "\nnot shown: \(counted(snapshot.forgottenCount, "ended source")), "
        + "\(counted(forgotten.signals, "signal")), "
        + counted(forgotten.deliveries, "delivery", plural: "deliveries")
    }
    return text
  }

  /// The names of the sources. Sources of the same name have their number as well.
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
      weight: { entry in
        let statistics = entry.statistics
        guard statistics.pendingTime != nil || statistics.runningTime != nil else { return nil }
        return Self.weight(max(statistics.pendingTime ?? .zero, statistics.runningTime ?? .zero))
      },
      cells: { entry in
        let statistics = entry.statistics
        let isRunning = statistics.runningSince != nil
        return [
          statistics.pendingSignals == 0 ? "-" : "\(statistics.pendingSignals)",
          statistics.pendingTime?.short ?? "-",
          isRunning ? "\(statistics.runningSignals)" : "-", statistics.runningTime?.short ?? "-",
          [entry.source.policy?.description, entry.source.schedulerName.map { "on \($0)" }]
            .compactMap(\.self).joined(separator: " "),
        ]
      })
  }

  private var busiest: InspectorTable {
    InspectorTable(
      title: "busiest", columns: ["deliveries", "signals"],
      // The entries are in this order already.
      weight: { $0.statistics.signals > 0 ? 0 : nil },
      cells: { ["\($0.statistics.deliveries)", "\($0.statistics.signals)"] })
  }

  private var slowest: InspectorTable {
    InspectorTable(
      title: "slowest", columns: ["longest", "average", "longest wait", "average wait"],
      weight: { entry in
        let statistics = entry.statistics
        guard max(statistics.longestDuration, statistics.longestLatency) > .zero else { return nil }
        return Self.weight(statistics.longestDuration)
      },
      cells: { entry in
        let statistics = entry.statistics
        return [
          statistics.longestDuration.short, statistics.averageDuration.short,
          statistics.longestLatency.short, statistics.averageLatency.short,
        ]
      })
  }

  private var mostCoalesced: InspectorTable {
    InspectorTable(
      title: "most coalesced", columns: ["signals per delivery"],
      weight: { $0.statistics.signalsPerDelivery > 1 ? $0.statistics.signalsPerDelivery : nil },
      cells: { ["\(($0.statistics.signalsPerDelivery * 10).rounded() / 10)"] })
  }

  private var mostLost: InspectorTable {
    InspectorTable(
      title: "most lost", columns: ["discarded signals", "dropped elements"],
      weight: { entry in
        let count = entry.statistics.discardedSignals + entry.statistics.dropped
        return count > 0 ? Double(count) : nil
      },
      cells: { ["\($0.statistics.discardedSignals)", "\($0.statistics.dropped)"] })
  }

  private var failing: InspectorTable {
    InspectorTable(
      title: "failing", columns: ["failures", "in a row", "runs"], text: "latest error",
      weight: { $0.statistics.failures > 0 ? Double($0.statistics.failuresInRow) : nil },
      cells: { entry in
        let statistics = entry.statistics
        return [
          "\(statistics.failures)", "\(statistics.failuresInRow)", "\(statistics.deliveries)",
          statistics.latestError ?? "",
        ]
      })
  }

  private static func weight(_ duration: Duration) -> Double { duration / .seconds(1) }
}

internal import SimpleEvents

/// The refresh loops whose runs wait for one another and therefore never end.
struct WaitCycles {
  private struct Edge {
    let waiting: ObjectIdentifier
    let awaited: ObjectIdentifier
    let call: String
  }

  private let edges: [Edge]
  private let names: [ObjectIdentifier: String]

  /// - Parameters:
  ///   - objects: The objects of a log. A wait in a run of a loop counts while the run is in progress.
  ///   - waits: The waits of the same log.
  init(_ objects: [SchedulerLog.Object], _ waits: [SchedulerLog.Wait]) {
    let running = objects.filter(\.isRunning)
    names = Dictionary(
      running.map { ($0.id, $0.subject.nameAndSite) }, uniquingKeysWith: { first, _ in first })
    edges = waits.compactMap { wait in
      guard let loop = wait.loop, case .loop(let awaited, _, let call) = wait.awaited else { return nil }
      return Edge(waiting: loop, awaited: awaited, call: call)
    }
  }

  /// Describes one cycle; nil if there is none. If there are several cycles, the cycle that contains the
  /// earliest of their waits is described.
  ///
  /// - Complexity: O(n · m²) for n loops and m waits.
  var description: String? {
    for edge in edges {
      var seen: Set<ObjectIdentifier> = []
      guard let path = path(from: edge.awaited, to: edge.waiting, excluding: &seen) else { continue }
      return describe([edge] + path)
    }
    return nil
  }

  /// Returns the waits that lead from one loop to another; empty if both are the same loop, nil if no waits
  /// lead there.
  ///
  /// - Parameters:
  ///   - start: The loop whose waits are searched first.
  ///   - end: The loop to find.
  ///   - seen: The loops that the search has reached. Each loop is searched once.
  private func path(
    from start: ObjectIdentifier, to end: ObjectIdentifier, excluding seen: inout Set<ObjectIdentifier>
  ) -> [Edge]? {
    guard names[start] != nil, seen.insert(start).inserted else { return nil }
    if start == end { return [] }
    for edge in edges where edge.waiting == start {
      if let rest = path(from: edge.awaited, to: end, excluding: &seen) { return [edge] + rest }
    }
    return nil
  }

  private func describe(_ cycle: [Edge]) -> String {
    func name(_ loop: ObjectIdentifier) -> String { names[loop] ?? "a loop" }
    let waits = cycle.map { "the run of \(name($0.waiting)) waits in \($0.call) of \(name($0.awaited))" }
    let remedy =
      cycle.count == 1
      ? "a run cannot wait for the end of its own loop, and a child task of it cannot either"
      : "let one of them call request() without waiting, or wait outside of the runs"
    return "loops that wait for each other: \(waits.joined(separator: ", ")): \(remedy)"
  }
}

/// The results of one operation: the times of the library and of the alternatives.
struct Comparison {
  struct Entry {
    /// The label, in Markdown.
    let label: String
    let nanoseconds: Double

    /// The time in nanoseconds, with a comma after the thousands.
    var time: String {
      guard nanoseconds >= 1000 else { return nanoseconds.formatted(digits: nanoseconds < 10 ? 1 : 0) }
      let (thousands, rest) = Int(nanoseconds.rounded()).quotientAndRemainder(dividingBy: 1000)
      return "\(thousands),\("\(1000 + rest)".dropFirst())"
    }
  }

  let title: String
  let own: Entry
  /// The alternatives, the fastest first.
  let others: [Entry]

  /// The time of the library as a multiple of the time of the fastest alternative.
  var ratio: Double { own.nanoseconds / others[0].nanoseconds }

  /// Whether the library is faster than all alternatives.
  var isAhead: Bool { ratio < 1 }

  /// Returns the comparisons of the results of one run, beginning with those whose `isAhead` is true. An
  /// operation that was not measured is left out.
  static func all(in rows: [JSONReport.Row]) -> [Comparison] {
    let workloads = Benchmarks.all
    let all = Highlight.all.compactMap { highlight in
      guard let workload = workloads.first(where: { $0.name == highlight.workload }) else {
        preconditionFailure("no workload \(highlight.workload)")
      }
      return Comparison(highlight, workload, rows)
    }
    return all.filter(\.isAhead) + all.filter { !$0.isAhead }
  }

  private init?(_ highlight: Highlight, _ workload: Workload, _ rows: [JSONReport.Row]) {
    let rows = rows.filter { $0.workload == workload.name }
    // The size of a quick run differs from that of a full run.
    let size = rows.contains { $0.n == workload.mainSize } ? workload.mainSize : workload.quickSize
    let entries = highlight.subjects.compactMap { name, label in
      precondition(workload.subjects.contains { $0.name == name }, "no subject \(name)")
      return rows.first { $0.subject == name && $0.n == size }.map {
        Entry(label: label, nanoseconds: $0.median)
      }
    }
    guard entries.count == highlight.subjects.count else { return nil }
    title = highlight.title
    own = entries[0]
    others = entries.dropFirst().sorted { $0.nanoseconds < $1.nanoseconds }
  }
}

internal import Foundation

/// A picture of results: for each operation a group of bars, the library's own first.
///
/// The bars of one group share a scale, because times are compared within a group only.
struct Chart {
  /// An operation, and the subjects that the chart shows for it.
  private struct Group {
    let title: String
    let workload: String
    /// The names of the subjects in the results, and in the picture.
    let subjects: [(name: String, label: String)]
  }

  private struct Bar {
    let label: String
    let nanoseconds: Double
    let isOurs: Bool
  }

  private static let groups: [Group] = [
    Group(
      title: "Trigger while a notification is pending", workload: "trigger-pending",
      subjects: [
        ("SimpleEvents LazySimpleEvent", "LazySimpleEvent"),
        ("AsyncStream newest(1)", "AsyncStream, newest(1)"),
        ("DispatchSource.or", "DispatchSource.or"),
      ]),
    Group(
      title: "Call one of 1,000 blocks", workload: "fanout-tokens",
      subjects: [
        ("SimpleEvents SimpleEvent, tokens", "SimpleEvent"), ("array of closures", "array of closures"),
        ("NotificationCenter", "NotificationCenter"),
      ]),
    Group(
      title: "Call one of 1,000 weak observers", workload: "fanout-observers",
      subjects: [
        ("SimpleEvents SimpleEvent, weak observers", "SimpleEvent"),
        ("weak boxes, no cast", "weak boxes"), ("weak boxes, cast", "weak boxes and as!"),
      ]),
    Group(
      title: "Change a property of a model", workload: "model-change",
      subjects: [
        ("SimpleEvents LazySimpleEvent", "LazySimpleEvent"),
        ("withObservationTracking re-armed", "withObservationTracking"),
      ]),
    Group(
      title: "Add and remove one of 100,000 observers", workload: "churn",
      subjects: [("SimpleEvents token", "token"), ("NotificationCenter", "NotificationCenter")]),
  ]

  private static let width: Double = 720
  private static let labelWidth: Double = 180
  private static let barHeight: Double = 14
  private static let style: String = """
    text { font: 12px system-ui, sans-serif; fill: #24292f }
    .title { font-weight: 600 } .ours { fill: #1f6feb } .other { fill: #afb8c1 }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .ours { fill: #58a6ff } .other { fill: \
    #6e7681 } }
    """

  private let groups: [(title: String, bars: [Bar])]

  /// Creates a chart of the results of one run; an operation that was not measured is left out.
  init(_ rows: [JSONReport.Row]) {
    groups = Self.groups.compactMap { group in
      // The main size is the one at which the library's own subject is compared with its bars.
      guard let main = rows.first(where: { $0.workload == group.workload && $0.extra["bar_1_limit"] != nil })
      else { return nil }
      let bars = group.subjects.compactMap { subject in
        rows.first { $0.workload == group.workload && $0.subject == subject.name && $0.n == main.n }
          .map { Bar(label: subject.label, nanoseconds: $0.median, isOurs: Subject.isOurs($0.subject)) }
      }
      return (group.title, bars)
    }
  }

  /// Writes the chart as an SVG file.
  func write(to path: String) throws {
    try Data(svg.utf8).write(to: URL(fileURLWithPath: path))
  }

  private var svg: String {
    var y = 8.0
    var elements: [String] = []
    for group in groups {
      y += 18
      elements.append(text(group.title, x: 0, y: y, "title"))
      y += 8
      let longest = group.bars.map(\.nanoseconds).max() ?? 1
      for bar in group.bars {
        let length = max(2, bar.nanoseconds / longest * (Self.width - Self.labelWidth - 90))
        elements.append(text(bar.label, x: 8, y: y + 11))
        elements.append(
          "<rect class=\"\(bar.isOurs ? "ours" : "other")\" x=\"\(Self.labelWidth)\" y=\"\(y)\" "
            + "width=\"\(length.formatted(digits: 1))\" height=\"\(Self.barHeight - 2)\" rx=\"2\"/>")
        let digits = bar.nanoseconds < 10 ? 1 : 0
        elements.append(
          text("\(bar.nanoseconds.formatted(digits: digits)) ns", x: Self.labelWidth + length + 6, y: y + 11))
        y += Self.barHeight + 2
      }
      y += 6
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(y + 4))" role="img">
      <title>Nanoseconds per operation; shorter is faster</title>
      <style>\(Self.style)</style>
      \(elements.joined(separator: "\n"))
      </svg>

      """
  }

  private func text(_ content: String, x: Double, y: Double, _ style: String? = nil) -> String {
    let attribute = style.map { " class=\"\($0)\"" } ?? ""
    let place = "x=\"\(x.formatted(digits: 1))\" y=\"\(y.formatted(digits: 1))\""
    return "<text \(place)\(attribute)>\(content)</text>"
  }
}

internal import SimpleEventsTesting

/// The elements of a picture of a timeline, in the format SVG.
struct TimelineSVG {
  static let style: String = """
    <style>
    text { font: 13px ui-sans-serif, system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328 }
    .axis { font-size: 11px; fill: #59636e }
    .label { font-size: 11px; font-weight: 600; text-anchor: middle }
    .ground { fill: #ffffff; stroke: #d1d9e0 }
    .guide { stroke: #d1d9e0; stroke-dasharray: 2 3 }
    .row { stroke: #818b98; stroke-width: 1.5 }
    .window { fill: #ffe3a3; stroke: #e0a100; stroke-opacity: 0.6 }
    .event { fill: #ffffff; stroke: #59636e; stroke-width: 1.5 }
    .delivery { fill: #0b57b8 }
    .delivered { fill: #ffffff }
    @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .axis { fill: #9198a1 }
    .ground { fill: #0d1117; stroke: #3d444d }
    .guide { stroke: #3d444d }
    .row { stroke: #7d8590 }
    .window { fill: #5c4400; stroke: #d29922 }
    .event { fill: #0d1117; stroke: #9198a1 }
    .delivery { fill: #6cb6ff }
    .delivered { fill: #0d1117 }
    }
    </style>
    """

  private static let header: Int = 34
  private static let rowHeight: Int = 34
  private static let plotWidth: Double = 560

  let width: Int
  let height: Int
  private(set) var elements: [String] = []
  private let left: Double
  private let scale: Double
  private let timeline: Timeline

  init(_ timeline: Timeline, legend: String) {
    self.timeline = timeline
    let titleWidth = timeline.rows.map(\.title.count).max() ?? 0
    left = Double(titleWidth) * 7.4 + 36
    width = Int(left + Self.plotWidth) + 26
    height = Self.header + timeline.rows.count * Self.rowHeight + 32
    let end = TextScale.nanoseconds(timeline.end)
    scale = Self.plotWidth / Double(max(1, end))
    drawAxis(until: end)
    drawGuides()
    for (index, row) in timeline.rows.enumerated() {
      draw(row, at: Self.header + index * Self.rowHeight + Self.rowHeight / 2)
    }
    if timeline.rows.contains(where: \.isPolicy) { draw(legend) }
  }

  private mutating func drawAxis(until end: Int64) {
    // The scale has at most ten labelled instants.
    let distance = TextScale(of: .nanoseconds(end), columns: 10).step
    for instant in stride(from: 0, through: end, by: Int(max(1, distance))) {
      let label = TextScale.label(instant, unitOf: distance)
      elements.append(
        #"<text class="axis" text-anchor="middle" x="\#(position(instant))" y="20">\#(label)</text>"#)
    }
  }

  /// Draws a vertical line through all rows at each instant of the first row, if the row has few instants.
  private mutating func drawGuides() {
    guard let events = timeline.rows.first?.marks, timeline.rows.count > 1, events.count <= 60 else {
      return
    }
    let bottom = height - 32
    for event in events {
      let x = position(event.time)
      elements.append(#"<line class="guide" x1="\#(x)" y1="\#(Self.header)" x2="\#(x)" y2="\#(bottom)"/>"#)
    }
  }

  private mutating func draw(_ legend: String) {
    elements.append(
      #"<text class="axis" x="\#(Self.number(left))" y="\#(height - 12)">\#(Self.escaped(legend))</text>"#)
  }

  private mutating func draw(_ row: Timeline.Row, at y: Int) {
    elements.append(#"<text x="18" y="\#(y + 4)">\#(Self.escaped(row.title))</text>"#)
    let end = left + Self.plotWidth
    elements.append(
      #"<line class="row" x1="\#(Self.number(left))" y1="\#(y)" x2="\#(Self.number(end))" y2="\#(y)"/>"#)
    for window in row.windows {
      let x = left + Double(TextScale.nanoseconds(window.lowerBound)) * scale
      let right = min(end, left + Double(TextScale.nanoseconds(window.upperBound)) * scale)
      let width = Self.number(right - x)
      elements.append(
        #"<rect class="window" x="\#(Self.number(x))" y="\#(y - 7)" width="\#(width)" height="14" rx="3"/>"#)
    }
    draw(row.marks, isPolicy: row.isPolicy, at: y)
  }

  private mutating func draw(_ marks: [Timeline.Mark], isPolicy: Bool, at y: Int) {
    // The x coordinate at which the last label ends.
    var lastLabel = -Double.infinity
    var labelled: [String] = []
    for mark in marks {
      let x = left + Double(TextScale.nanoseconds(mark.time)) * scale
      let radius = mark.label.count > 1 ? 10.5 : 8
      let hasLabel = !mark.label.isEmpty && mark.label.count <= 2 && x - radius > lastLabel
      let form = isPolicy ? "delivery" : "event"
      let (cx, r) = (Self.number(x), Self.number(hasLabel ? radius : 3.5))
      let circle = #"<circle class="\#(form)" cx="\#(cx)" cy="\#(y)" r="\#(r)"/>"#
      guard hasLabel else {
        elements.append(circle)
        continue
      }
      lastLabel = x + radius
      let label = isPolicy ? "label delivered" : "label"
      labelled.append(circle)
      labelled.append(
        #"<text class="\#(label)" x="\#(Self.number(x))" y="\#(y + 4)">\#(Self.escaped(mark.label))</text>"#)
    }
    elements += labelled
  }

  private func position(_ time: Duration) -> String { position(TextScale.nanoseconds(time)) }

  private func position(_ nanoseconds: Int64) -> String { Self.number(left + Double(nanoseconds) * scale) }

  /// Returns a number with at most one decimal place.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns a text as XML. Characters that XML excludes are replaced.
  ///
  /// The loop is over scalars, not over characters. A `<` with an accent is one character, but XML reads the
  /// `<` as markup.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
      case ..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

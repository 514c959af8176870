/// A picture of results. Each operation has a group of bars, and the library's own bar is the first.
///
/// The bars of one group share a scale, because times are compared only within a group.
struct Chart {
  private static let width: Double = 560
  private static let margin: Double = 16
  private static let labelWidth: Double = 228
  private static let timeWidth: Double = 84
  private static let barHeight: Double = 13
  private static let style: String = """
    text { font: 14px system-ui, sans-serif; fill: #24292f }
    .caption { font-size: 17px; font-weight: 600 } .title { font-weight: 600 }
    .ours { fill: #1f6feb } .other { fill: #afb8c1 }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .ours { fill: #58a6ff } .other { fill: #6e7681 }
    }
    """

  /// The picture in the format SVG.
  let text: String

  init(_ comparisons: [Comparison]) {
    var drawing = Drawing()
    drawing.line("Nanoseconds for each operation: a shorter bar is faster")
    drawing.legend()
    drawing.part("SimpleEvents is faster", comparisons.filter(\.isAhead))
    drawing.part("Something else is faster", comparisons.filter { !$0.isAhead })
    let (width, height) = (Int(Self.width), Int(drawing.y + Self.margin))
    text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img">
      <title>Nanoseconds per operation; shorter is faster</title>
      <style>\(Self.style)</style>
      \(drawing.elements.joined(separator: "\n"))
      </svg>

      """
  }

  /// The elements drawn so far, from top to bottom.
  private struct Drawing {
    private(set) var elements: [String] = []
    private(set) var y: Double = margin

    mutating func line(_ content: String, _ style: String? = nil) {
      y += 14
      text(content, x: margin, style)
      y += 6
    }

    /// Draws the explanation of the colours.
    mutating func legend() {
      y += 14
      rectangle(x: margin, length: barHeight, isOurs: true)
      text("SimpleEvents", x: margin + 20)
      rectangle(x: labelWidth, length: barHeight, isOurs: false)
      text("other ways to do the same", x: labelWidth + 20)
      y += 6
    }

    mutating func part(_ caption: String, _ comparisons: [Comparison]) {
      guard !comparisons.isEmpty else { return }
      y += 20
      line(caption, "caption")
      for comparison in comparisons { group(comparison) }
    }

    private mutating func group(_ comparison: Comparison) {
      y += 8
      line(comparison.title, "title")
      let longest = max(comparison.own.nanoseconds, comparison.others.last?.nanoseconds ?? 0)
      bar(comparison.own, longest, isOurs: true)
      for entry in comparison.others { bar(entry, longest, isOurs: false) }
    }

    private mutating func bar(_ entry: Comparison.Entry, _ longest: Double, isOurs: Bool) {
      let length = max(2, entry.nanoseconds / longest * (width - margin - labelWidth - timeWidth))
      y += 14
      text(entry.label, x: margin + 10)
      rectangle(x: labelWidth, length: length, isOurs: isOurs)
      text("\(entry.time) ns", x: labelWidth + length + 6)
      y += 5
    }

    private mutating func text(_ content: String, x: Double, _ style: String? = nil) {
      let attribute = style.map { " class=\"\($0)\"" } ?? ""
      let place = "x=\"\(x.formatted(digits: 1))\" y=\"\(y.formatted(digits: 1))\""
      // The labels are Markdown. A picture has no code font, so the backticks are removed.
      let plain = content.replacing("`", with: "")
      elements.append("<text \(place)\(attribute)>\(plain)</text>")
    }

    /// Draws a bar whose middle is at the height of the line of text above `y`.
    private mutating func rectangle(x: Double, length: Double, isOurs: Bool) {
      elements.append(
        "<rect class=\"\(isOurs ? "ours" : "other")\" x=\"\(x.formatted(digits: 1))\" "
          + "y=\"\((y - barHeight + 2).formatted(digits: 1))\" width=\"\(length.formatted(digits: 1))\" "
          + "height=\"\(barHeight.formatted(digits: 1))\" rx=\"2\"/>")
    }
  }
}

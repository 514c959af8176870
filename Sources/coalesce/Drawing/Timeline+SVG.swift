package import SimpleEventsTesting

extension Timeline {
  /// The drawing as a picture in the format SVG, readable on light and dark backgrounds.
  ///
  /// Windows are shaded. Events are rings and deliveries are discs. A label is drawn only if it has at most
  /// two characters, and does not overlap the label before it.
  package var svg: String {
    svg(legend: "ring: event · disc: delivery, named after its newest event · shade: window")
  }

  /// Returns the drawing as a picture with a given legend.
  package func svg(legend: String) -> String {
    let picture = TimelineSVG(self, legend: legend)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(picture.width) \(picture.height)" \
      width="\(picture.width)" height="\(picture.height)" role="img">
      <title>\(TimelineSVG.escaped(rows.map(\.title).joined(separator: ", ")))</title>
      \(TimelineSVG.style)
      <rect class="ground" x="0.5" y="0.5" width="\(picture.width - 1)" height="\(picture.height - 1)" rx="8"/>
      \(picture.elements.joined(separator: "\n"))
      </svg>

      """
  }
}

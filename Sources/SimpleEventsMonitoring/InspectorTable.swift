internal import SimpleEvents

/// One table of an inspector's text.
struct InspectorTable {
  /// The largest number of sources in a table.
  private static let limit: Int = 10

  /// The title, above the names of the sources.
  let title: String
  /// The headers of the columns of numbers.
  let columns: [String]
  /// The header of the last column if that column has words; nil if all columns have numbers.
  var text: String?
  /// The weight of an entry. Entries with larger weights come first, and entries with equal weights keep
  /// their order. An entry whose weight is nil is left out.
  let weight: (CoalescingStatistics) -> Double?
  /// The cells of an entry, one for each column.
  let cells: (CoalescingSource, CoalescingStatistics) -> [String]

  /// The lines of the table; nil if it has no entry.
  ///
  /// - Parameter name: Returns the name of an entry.
  func text(
    of entries: [CoalescingInspector.Entry], name: (CoalescingInspector.Entry) -> String
  ) -> String? {
    let chosen = entries.enumerated()
      .compactMap { place in weight(place.element.statistics).map { (place.element, $0, place.offset) } }
      .sorted { ($0.1, $1.2) > ($1.1, $0.2) }
      .map(\.0)
    guard !chosen.isEmpty else { return nil }
    let headers = [title] + columns + (text.map { [$0] } ?? [])
    let rows = [headers] + chosen.prefix(Self.limit).map { [name($0)] + cells($0.source, $0.statistics) }
    let widths = headers.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        if column == 0 { return cell + padding }
        return column > columns.count ? cell : padding + cell
      }.joined(separator: "  ")
    }
    if chosen.count > Self.limit { lines.append("and \(chosen.count - Self.limit) more") }
    return lines.joined(separator: "\n")
  }
}

/// A table of results, each compared with the fastest alternative.
struct MarkdownTable {
  let text: String

  init(_ comparisons: [Comparison]) {
    let rows = comparisons.map { comparison in
      [
        comparison.title, comparison.others[0].label, comparison.own.time,
        comparison.ratio.formatted(digits: 2),
      ]
    }
    text =
      "| operation | compared with | ns | times as long |\n|---|---|---|---|\n"
      + rows.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}

package import SimpleEventsTesting

extension Timeline {
  /// A drawing of instants in milliseconds, with a title for each row.
  package init(milliseconds rows: KeyValuePairs<String, [Int]>) {
    self.init(rows.map { Row($0.key, at: $0.value.map { .milliseconds($0) }) })
  }
}

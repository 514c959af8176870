package import SimpleEventsTesting

extension Timeline {
  /// Creates a drawing of instants in milliseconds. Each row has a title.
  package init(milliseconds rows: KeyValuePairs<String, [Int]>) {
    self.init(rows.map { Row($0.key, at: $0.value.map { .milliseconds($0) }) })
  }
}

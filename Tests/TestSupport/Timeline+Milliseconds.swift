package import SimpleEventsTesting

extension Timeline {
  /// A drawing of instants in milliseconds, with a title for each lane.
  package init(milliseconds lanes: KeyValuePairs<String, [Int]>) {
    self.init(lanes.map { Lane($0.key, at: $0.value.map { .milliseconds($0) }) })
  }
}

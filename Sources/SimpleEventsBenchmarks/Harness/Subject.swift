/// One way to perform the task of a workload.
struct Subject {
  /// The name. The names of the library's own subjects begin with `SimpleEvents`.
  let name: String
  /// A divisor of the size, for alternatives that are too slow or too large at the full size.
  let divisor: Int
  /// Prepares a trial. The time of the preparation is not measured.
  let prepare: (Fixture) -> Trial

  init(_ name: String, divisor: Int = 1, prepare: @escaping (Fixture) -> Trial) {
    self.name = name
    self.divisor = divisor
    self.prepare = prepare
  }

  var isOurs: Bool { Self.isOurs(name) }

  /// Whether the subject with this name uses the library.
  static func isOurs(_ name: String) -> Bool {
    name.hasPrefix("SimpleEvents ")
  }
}

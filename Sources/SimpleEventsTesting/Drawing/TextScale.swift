/// The division of time into columns of text.
package struct TextScale {
  /// The time of a column, in nanoseconds: 1, 2 or 5 times a power of ten.
  package let step: Int64
  /// The number of columns.
  let count: Int
  /// The largest number of columns.
  private let limit: Int

  /// Creates the finest scale by which an instant has a column.
  package init(of end: Duration, columns: Int) {
    limit = columns
    let end = Self.nanoseconds(end)
    var step: Int64 = 1
    var factors: [Int64] = [2, 5, 10]
    var power: Int64 = 1
    while end / step >= Int64(columns) {
      step = power * factors[0]
      factors.append(factors.removeFirst())
      if factors[0] == 2 { power *= 10 }
    }
    self.step = step
    count = Int(end / step) + 1
  }

  /// The column of an instant.
  func column(of time: Duration) -> Int { Int(Self.nanoseconds(time) / step) }

  /// The instants of every tenth column, as far as there is room for them.
  var axis: String {
    var text = ""
    for column in stride(from: 0, to: count, by: 10) {
      let label = Self.label(step * Int64(column), unitOf: step * 10)
      guard column + label.count <= limit else { break }
      text += String(repeating: " ", count: column - text.count) + label
    }
    return text
  }

  /// An instant in the unit that suits a distance.
  package static func label(_ nanoseconds: Int64, unitOf distance: Int64) -> String {
    let (unit, name): (Int64, String) =
      switch distance {
      case 1_000_000_000...: (1_000_000_000, "s")
      case 1_000_000...: (1_000_000, "ms")
      case 1_000...: (1_000, "us")
      default: (1, "ns")
      }
    return "\(nanoseconds / unit)\(name)"
  }

  /// The whole nanoseconds of a duration that is not negative, at most 2⁶².
  package static func nanoseconds(_ time: Duration) -> Int64 {
    let limit: Int64 = 1 << 62
    return time >= .nanoseconds(limit) ? limit : max(0, Int64(time / .nanoseconds(1)))
  }
}

/// The division of time into columns of text.
package struct TextScale {
  /// The possible steps between two powers of ten, in tenths of the lower power.
  private static let tenths: [Int64] = [10, 15, 20, 25, 40, 50]

  /// The time of a column in nanoseconds: 1, 1.5, 2, 2.5, 4 or 5 times a power of ten.
  package let step: Int64
  /// The number of columns.
  let count: Int
  /// The largest number of columns.
  private let limit: Int

  /// Creates the finest scale in which the last instant still has a column.
  package init(of end: Duration, columns: Int) {
    limit = columns
    let end = Self.nanoseconds(end)
    var step: Int64 = 1
    var place = 0
    var power: Int64 = 1
    while end / step >= Int64(columns) {
      repeat {
        place += 1
        if place == Self.tenths.count { (place, power) = (0, power * 10) }
        // A step is a whole number of nanoseconds: 1.5 and 2.5 are left out.
      } while power == 1 && Self.tenths[place] % 10 != 0
      step = power == 1 ? Self.tenths[place] / 10 : power / 10 * Self.tenths[place]
    }
    self.step = step
    count = Int(end / step) + 1
  }

  /// Returns the column of an instant.
  func column(of time: Duration) -> Int { Int(Self.nanoseconds(time) / step) }

  /// The labels of every tenth column, if there is room for them.
  var axis: String {
    var text = ""
    for column in stride(from: 0, to: count, by: 10) {
      let label = Self.label(step * Int64(column), unitOf: step * (count > 10 ? 10 : 1))
      guard column + label.count <= limit else { break }
      guard text.isEmpty || text.count < column else { continue }
      text += String(repeating: " ", count: column - text.count) + label
    }
    return text
  }

  /// Formats an instant in the largest unit that divides the distance between two labels.
  package static func label(_ nanoseconds: Int64, unitOf distance: Int64) -> String {
    let units: [(Int64, String)] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")]
    let (unit, name) = units.first { distance % $0.0 == 0 } ?? (1, "ns")
    return "\(nanoseconds / unit)\(name)"
  }

  /// Returns the number of whole nanoseconds in a duration, limited to the range from 0 to 2⁶².
  package static func nanoseconds(_ time: Duration) -> Int64 {
    let limit: Int64 = 1 << 62
    // NB: the quotient of two durations is rounded, so it could be a nanosecond too small.
    return max(0, min(limit, Int64(clamping: time.attoseconds / 1_000_000_000)))
  }
}

/// Returns a number with its noun in the singular or the plural, such as "1 observer" and "2 observers".
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}

extension Duration {
  private static let units: [(name: String, length: Duration)] = [
    ("ns", .nanoseconds(1)), ("us", .microseconds(1)), ("ms", .milliseconds(1)), ("s", .seconds(1)),
    ("min", .seconds(60)), ("h", .seconds(3600)), ("d", .seconds(86_400)),
  ]

  /// A short description of the duration: one number with its unit, such as "80 ms", "1.2 s" or "350 us".
  ///
  /// A number below ten is rounded to one decimal, a larger one to an integer. The unit is the largest one in
  /// which the number is at least one.
  package var short: String {
    if self == .zero { return "0 s" }
    let sign = self < .zero ? "-" : ""
    let magnitude = self < .zero ? self * -1 : self
    var number = 0.0
    var name = ""
    for (index, unit) in Self.units.enumerated() {
      number = Self.rounded(magnitude / unit.length)
      name = unit.name
      if index + 1 < Self.units.count && unit.length * number < Self.units[index + 1].length { break }
    }
    return "\(sign)\(number == number.rounded() ? "\(Int64(number))" : "\(number)") \(name)"
  }

  private static func rounded(_ number: Double) -> Double {
    let tenths = (number * 10).rounded()
    return tenths < 100 ? tenths / 10 : number.rounded()
  }
}

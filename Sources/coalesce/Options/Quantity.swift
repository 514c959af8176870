/// The forms of a number with a unit on the command line.
enum Quantity {
  private static let times: [String: Double] = [
    "us": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "h": 3600e9, "d": 86_400e9,
  ]
  private static let sizes: [String: Int] = ["": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30]

  /// A time: `200ms`, `1.5s`.
  ///
  /// - Parameter bareUnit: The unit of a number without one.
  static func time(_ word: some StringProtocol, bareUnit: String = "s") -> Duration? {
    let number = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = word.dropFirst(number.count)
    guard let value = Double(String(number)), let scale = times[unit.isEmpty ? bareUnit : String(unit)] else {
      return nil
    }
    return .nanoseconds(Int64(exactly: (value * scale).rounded()) ?? .max)
  }

  /// A number of bytes, at least one: `65536`, `64K`.
  static func size(_ word: some StringProtocol) -> Int? {
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard let value = Int(digits), let scale = sizes[String(word.dropFirst(digits.count))], value > 0 else {
      return nil
    }
    let (size, overflow) = value.multipliedReportingOverflow(by: scale)
    return overflow ? nil : size
  }
}

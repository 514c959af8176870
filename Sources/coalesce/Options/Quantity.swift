/// Parses numbers with a unit on the command line.
enum Quantity {
  private static let times: KeyValuePairs<String, Double> = [
    "ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "min": 60e9, "h": 3600e9, "d": 86_400e9,
  ]
  private static let sizes: [String: Int] = ["": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30]

  /// The names of the units of time, for messages.
  static let units: String = "ns, us, ms, s, m, min, h or d"

  /// The latest instant that a drawing accepts, in the form that messages show. It is early enough for the
  /// ends of the windows to be counted in nanoseconds.
  static let latest: String = "36500d"

  /// Parses a time: `200ms`, `1.5s`. A number without a unit is in seconds.
  static func time(_ word: some StringProtocol) -> Duration? {
    let number = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = word.dropFirst(number.count)
    let scale = times.first { $0.key == (unit.isEmpty ? "s" : unit) }?.value
    guard let value = Double(String(number)), let scale else { return nil }
    return .nanoseconds(Int64(exactly: (value * scale).rounded()) ?? .max)
  }

  /// Parses a number in decimal digits that is in a range; nil for any other word.
  static func count(_ word: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
    guard word.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(word), range.contains(count) else {
      return nil
    }
    return count
  }

  /// Parses a rate, which is a number in a period: `10/s`, `1/500ms`. The highest rate is one per nanosecond.
  static func rate(_ word: String) -> RunRate? {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[1].first else { return nil }
    let (seconds, attoseconds) = (time(first.isLetter ? "1" + parts[1] : String(parts[1])) ?? .zero)
      .components
    let period = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    guard period > 0 && period < .max, let count = count(parts[0], in: 1...Int(period)) else { return nil }
    return RunRate(count, period: period)
  }

  /// Parses a character that separates fields: an ASCII character, or `\t` for a tab. Returns its byte.
  static func separator(_ word: String) -> UInt8? {
    if word == "\\t" { return UInt8(ascii: "\t") }
    return word.utf8.count == 1 && word != "\0" ? word.utf8.first : nil
  }

  /// Parses the instants of a drawing, separated by commas, spaces or newlines, and sorts them.
  ///
  /// - Returns: The instants; nil if one of them is not a time, or is later than the latest instant.
  static func instants(_ text: String) -> [Duration]? {
    let limit = time(latest)!
    var instants: [Duration] = []
    for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      guard let instant = time(word), instant <= limit else { return nil }
      instants.append(instant)
    }
    return instants.sorted()
  }

  /// Parses a number of bytes, at least one: `65536`, `64K`. The word `none` gives `Int.max`, which means no
  /// limit.
  static func size(_ word: some StringProtocol) -> Int? {
    if word == "none" { return .max }
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard let value = Int(digits), let scale = sizes[String(word.dropFirst(digits.count))], value > 0 else {
      return nil
    }
    let (size, overflow) = value.multipliedReportingOverflow(by: scale)
    return overflow ? nil : size
  }
}

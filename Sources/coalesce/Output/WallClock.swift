internal import CPlatform

/// The local time.
enum WallClock {
  /// The current local time in the format of ISO 8601, with milliseconds and the offset of the time zone.
  static var now: String {
    var time = timespec()
    var parts = unsafe tm()
    // SAFETY: each of the two calls writes one valid element.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    _ = unsafe localtime_r(&time.tv_sec, &parts)
    let offset = unsafe parts.tm_gmtoff / 60
    let fields: [(value: Int, digits: Int, end: String)] = unsafe [
      (Int(parts.tm_year) + 1900, 4, "-"), (Int(parts.tm_mon) + 1, 2, "-"), (Int(parts.tm_mday), 2, "T"),
      (Int(parts.tm_hour), 2, ":"), (Int(parts.tm_min), 2, ":"), (Int(parts.tm_sec), 2, "."),
      (time.tv_nsec / 1_000_000, 3, offset < 0 ? "-" : "+"), (abs(offset) / 60, 2, ":"),
      (abs(offset) % 60, 2, ""),
    ]
    return fields.map { field in
      let number = String(field.value)
      return String(repeating: "0", count: max(0, field.digits - number.count)) + number + field.end
    }.joined()
  }

  /// Returns a time in seconds, with milliseconds.
  static func seconds(_ time: Duration) -> String {
    let milliseconds = String(Int64(time / .milliseconds(1)) % 1000)
    return "\(time.components.seconds)." + String(repeating: "0", count: 3 - milliseconds.count)
      + milliseconds
  }
}

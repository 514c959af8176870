internal import CPlatform

/// Checks whether there is memory for lines. The user may allow batches of any size.
///
/// The Swift runtime ends the program when an allocation fails. This type therefore asks the system for the
/// memory before an array grows much. The answer stays valid until the array has grown, because only the
/// thread that reads the input needs much memory: it collects the lines, and the other threads write them
/// without a copy.
enum LineMemory {
  /// The smallest number of bytes for which ``has(_:)`` asks the system. The same amount of memory is left to
  /// the other threads.
  static let spare: Int = 1 << 20

  /// Whether the system has a number of bytes, and ``spare`` bytes more.
  static func has(_ count: Int) -> Bool { count < spare || platform_has_memory(count + spare) }

  /// Makes room for further bytes in an array, up to a limit; returns whether there is memory for them.
  ///
  /// - Parameters:
  ///   - count: The number of further bytes. With them, the array has at most `limit` bytes.
  ///   - bytes: The array. Its capacity doubles, so the cost of many calls is linear in the number of bytes.
  ///   - limit: The largest number of bytes that the array will have.
  ///   - more: Receives the new capacity of the array. Returns the number of bytes that the caller needs for
  ///     other purposes before the array grows again.
  static func reserve(
    _ count: Int, in bytes: inout [UInt8], limit: Int = .max, and more: (_ capacity: Int) -> Int = { _ in 0 }
  ) -> Bool {
    let needed = bytes.count + count
    if needed <= bytes.capacity { return true }
    let capacity = max(needed, min(2 * bytes.capacity, limit))
    guard has(capacity + more(capacity)) else { return false }
    bytes.reserveCapacity(capacity)
    return true
  }
}

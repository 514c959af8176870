internal import CPlatform

/// The memory for lines, which may be as large as the user allows.
///
/// The Swift runtime ends the program when an allocation fails. So the system is asked for the memory before
/// an array grows much. The answer holds until the array has grown, because the thread that reads the input
/// is the only one that needs much memory: it collects the lines, and the others write them as they are.
enum LineMemory {
  /// The smallest growth for which the system is asked, and the memory that is left to the other threads.
  static let spare: Int = 1 << 20

  /// Whether the system has so much memory.
  static func has(_ count: Int) -> Bool { count < spare || platform_has_memory(count + spare) }

  /// Makes room for further bytes of an array, up to a limit; returns whether there is memory for them.
  ///
  /// - Parameters:
  ///   - count: The number of the bytes, which the limit allows.
  ///   - bytes: The array. Its room doubles, so the cost of many calls is linear in the bytes.
  ///   - limit: The largest number of bytes that the array will have.
  ///   - more: The further memory that is needed before the array grows again.
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

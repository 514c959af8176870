internal import Foundation

#if canImport(Glibc)
  internal import Glibc

  // The C library's header for its allocator is in no module.

  @_silgen_name("malloc_info")
  private func mallocInfo(_ options: CInt, _ file: UnsafeMutablePointer<FILE>) -> CInt

  @_silgen_name("mallopt")
  private func mallocOption(_ name: CInt, _ value: CInt) -> CInt

  @_silgen_name("malloc_trim")
  private func mallocTrim(_ padding: Int) -> CInt
#endif

/// Asks the allocator and the kernel how much memory is in use.
///
/// Works with the GNU C library on Linux; elsewhere everything reads zero, and nothing is reported.
enum HeapMeter {
  /// Whether the figures mean anything.
  static var isAvailable: Bool {
    #if canImport(Glibc)
      true
    #else
      false
    #endif
  }

  /// The bytes handed out by `malloc` and not freed, in all arenas, with the allocator's own overhead.
  ///
  /// NB: up to seven freed blocks of each size wait in a cache of every thread, and count as in use. Over
  /// thousands of objects that vanishes; a difference of a few hundred bytes does not mean a thing.
  static var bytesInUse: Int {
    #if canImport(Glibc)
      var text: UnsafeMutablePointer<CChar>?
      var length = 0
      guard let file = open_memstream(&text, &length) else { return 0 }
      _ = mallocInfo(0, file)
      fclose(file)
      defer { free(text) }
      let report = text.map { String(cString: $0) } ?? ""
      // One section for each arena, and the totals after the last one.
      let totals = report.range(of: "</heap>", options: .backwards).map { report[$0.upperBound...] } ?? ""
      func size(_ element: String) -> Int {
        guard let start = totals.range(of: "<\(element)"),
          let size = totals[start.upperBound...].range(of: "size=\"")
        else { return 0 }
        return Int(totals[size.upperBound...].prefix { $0 != "\"" }) ?? 0
      }
      return size("system type=\"current\"") - size("total type=\"fast\"") - size("total type=\"rest\"")
        + size("total type=\"mmap\"")
    #else
      return 0
    #endif
  }

  /// Keeps freed memory in the process, so that a repetition does not pay the kernel for the pages that
  /// the one before has just given back.
  static func keepFreedMemory() {
    #if canImport(Glibc)
      // `M_TRIM_THRESHOLD` and `M_MMAP_THRESHOLD`.
      _ = mallocOption(-1, .max)
      _ = mallocOption(-3, 32 << 20)
    #endif
  }

  /// Gives freed memory back, and starts the peak over; returns the kibibytes resident now.
  static func resetPeak() -> Int {
    #if canImport(Glibc)
      _ = mallocTrim(0)
      try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    #endif
    return status("VmRSS:")
  }

  /// The most kibibytes resident since `resetPeak()`.
  static var peak: Int { status("VmHWM:") }

  private static func status(_ field: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(field) }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}

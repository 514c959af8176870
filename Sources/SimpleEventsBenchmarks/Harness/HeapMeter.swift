internal import Foundation

#if canImport(Glibc)
  internal import Glibc

  // The functions are declared here, because no module of the toolchain includes the header of the C
  // library's allocator.

  @_silgen_name("malloc_info")
  private func mallocInfo(_ options: CInt, _ file: UnsafeMutablePointer<FILE>) -> CInt

  @_silgen_name("mallopt")
  private func mallocOption(_ name: CInt, _ value: CInt) -> CInt

  @_silgen_name("malloc_trim")
  private func mallocTrim(_ padding: Int) -> CInt
#endif

/// Reads the memory in use from the allocator and the kernel.
///
/// The type works with the GNU C library on Linux. On other systems all values are zero and are not reported.
enum HeapMeter {
  /// Whether the values are available.
  static var isAvailable: Bool {
    #if canImport(Glibc)
      true
    #else
      false
    #endif
  }

  /// The bytes that are allocated and not freed, in all arenas, including the allocator's own overhead.
  ///
  /// Each thread has a cache that keeps up to seven freed blocks of each size, and these blocks count as in
  /// use. Differences of a few kilobytes are therefore inexact.
  static var bytesInUse: Int {
    #if canImport(Glibc)
      var text: UnsafeMutablePointer<CChar>?
      var length = 0
      guard let file = unsafe open_memstream(&text, &length) else { return 0 }
      _ = unsafe mallocInfo(0, file)
      unsafe fclose(file)
      defer { unsafe free(text) }
      let report = unsafe text.map { unsafe String(cString: $0) } ?? ""
      // The report has one section for each arena, and the totals after the last section.
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

  /// The bytes in use after other threads have released the objects that earlier work left to them, for
  /// example cancelled timers of Dispatch. If the releases take more than a second, the value is the number
  /// of bytes in use after that second.
  static var settledBytesInUse: Int {
    var bytes = bytesInUse
    for _ in 0..<50 {
      Thread.sleep(forTimeInterval: 0.02)
      let last = bytes
      bytes = bytesInUse
      if abs(bytes - last) < 1024 { break }
    }
    return bytes
  }

  /// Makes the allocator keep freed memory. Otherwise each repetition would request again the pages that the
  /// previous repetition returned to the kernel.
  static func keepFreedMemory() {
    #if canImport(Glibc)
      // The numbers stand for `M_TRIM_THRESHOLD` and `M_MMAP_THRESHOLD`.
      _ = mallocOption(-1, .max)
      _ = mallocOption(-3, 32 << 20)
    #endif
  }

  /// Returns freed memory to the kernel, and resets the peak.
  ///
  /// - Returns: The kibibytes that are resident now.
  static func resetPeak() -> Int {
    #if canImport(Glibc)
      _ = mallocTrim(0)
      try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    #endif
    return status("VmRSS:")
  }

  /// The largest number of resident kibibytes since `resetPeak()`.
  static var peak: Int { status("VmHWM:") }

  private static func status(_ field: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(field) }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}

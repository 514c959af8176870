/// One word of memory for each observer, in which the observer counts its calls.
///
/// If all observers shared one word, each call would wait for the store of the previous call. On some
/// processors this wait is longer than the call, and the benchmark would measure the wait.
///
/// SAFETY: the closures of one trial use the words on one thread, and the trial keeps the words.
@safe final class CallCounts {
  /// The word of one observer.
  @safe struct Word: @unchecked Sendable {
    private let count: UnsafeMutablePointer<Int>

    fileprivate init(_ count: UnsafeMutablePointer<Int>) { unsafe self.count = count }

    @inline(__always)
    func hit() { unsafe count.pointee &+= 1 }

    /// Counts a call with a value. The value is never negative.
    @inline(__always)
    func take(_ value: Int) { if value >= 0 { hit() } }
  }

  private let counts: UnsafeMutableBufferPointer<Int>

  init(_ n: Int) {
    unsafe counts = .allocate(capacity: n)
    unsafe counts.initialize(repeating: 0)
  }

  deinit { unsafe counts.deallocate() }

  subscript(index: Int) -> Word { unsafe Word(counts.baseAddress! + index) }

  /// The number of calls of all observers.
  var sum: Int { unsafe counts.reduce(0, +) }
}

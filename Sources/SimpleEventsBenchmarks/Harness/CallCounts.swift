/// A word for each observer, in which it counts its calls.
///
/// With one word for all observers, each call would wait for the store of the call before. A processor
/// without fast paths for that takes longer for the wait than for the call, and the benchmark would measure
/// the wait.
///
/// SAFETY: the closures of one trial use the words, on one thread, and the trial keeps them.
@safe final class CallCounts {
  /// The word of one observer.
  @safe struct Word: @unchecked Sendable {
    private let count: UnsafeMutablePointer<Int>

    fileprivate init(_ count: UnsafeMutablePointer<Int>) { unsafe self.count = count }

    @inline(__always)
    func hit() { unsafe count.pointee &+= 1 }

    /// Counts a call with a value, which is not negative.
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

internal import Dispatch

/// What every callback does, whoever calls it: count, and say when the last one has come.
///
/// The count lives behind a pointer that the optimiser cannot see through, so no callback can be folded
/// into another one or dropped, and a call costs every subject the same.
final class Sink: @unchecked Sendable {
  // NB: `@unchecked`, since the counters are plain memory. A workload calls `hit()` from one place at a
  // time, a thread or a serial queue, and reads the count after a semaphore or a `sync` has ordered it.

  private let counters: UnsafeMutablePointer<Int> = .allocate(capacity: 3)
  private let reached: DispatchSemaphore = DispatchSemaphore(value: 0)

  init() {
    counters.initialize(repeating: 0, count: 3)
    counters[1] = -1
  }

  deinit {
    counters.deallocate()
  }

  /// How often `hit()` was called.
  var count: Int { counters[0] }

  /// The count at which `wait()` returns; set before the first call that may reach it.
  var target: Int {
    get { counters[1] }
    set { counters[1] = newValue }
  }

  /// Counts a delivery.
  @inline(__always)
  func hit() {
    counters[0] &+= 1
    if counters[0] == counters[1] {
      reached.signal()
    }
  }

  /// Counts a delivery, and uses the value that came with it.
  @inline(__always)
  func take(_ value: Int) {
    hit()
    swallow(value)
  }

  /// Counts a delivery, and wakes whoever waits for it.
  func hitAndSignal() {
    counters[0] &+= 1
    reached.signal()
  }

  /// Waits for the target, or for one call of `hitAndSignal()`.
  func wait() {
    reached.wait()
  }

  /// Uses a value, so that it has to be computed.
  @inline(__always)
  func swallow(_ value: Int) {
    counters[2] &+= value
  }
}

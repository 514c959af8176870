internal import Dispatch

/// Counts deliveries and signals the last one. The body of every callback calls a method of the sink.
///
/// The optimiser cannot see through the pointer to the counters, so it neither merges nor removes calls. A
/// call therefore costs the same for every subject.
///
/// SAFETY: `@unchecked`, because the counters are plain memory. A workload calls `hit()` on one thread or one
/// serial queue. It reads the count after a semaphore or a `sync` has ordered the calls before the reading.
@safe final class Sink: @unchecked Sendable {
  private let counters: UnsafeMutablePointer<Int> = .allocate(capacity: 3)
  private let reached: DispatchSemaphore = DispatchSemaphore(value: 0)

  init() {
    unsafe counters.initialize(repeating: 0, count: 3)
    unsafe counters[1] = -1
  }

  deinit {
    unsafe counters.deallocate()
  }

  /// The number of deliveries.
  var count: Int { unsafe counters[0] }

  /// The count at which `wait()` returns. Set it before the first call that can reach it.
  var target: Int {
    get { unsafe counters[1] }
    set { unsafe counters[1] = newValue }
  }

  /// Counts a delivery.
  @inline(__always)
  func hit() { add(1) }

  /// Adds a number of deliveries that a workload has counted itself.
  @inline(__always)
  func add(_ deliveries: Int) {
    unsafe counters[0] &+= deliveries
    if unsafe counters[0] == counters[1] {
      reached.signal()
    }
  }

  /// Counts a delivery, and uses its value.
  @inline(__always)
  func take(_ value: Int) {
    hit()
    swallow(value)
  }

  /// Counts a delivery, and ends one `wait()`.
  func hitAndSignal() {
    unsafe counters[0] &+= 1
    reached.signal()
  }

  /// Waits until the count has reached the target, or until `hitAndSignal()` is called once.
  func wait() {
    reached.wait()
  }

  /// Uses a value, so that the optimiser cannot remove the computation of the value.
  @inline(__always)
  func swallow(_ value: Int) {
    unsafe counters[2] &+= value
  }
}

public import SimpleEvents

/// A monitor that records the latest deliveries, for a tool that draws them.
///
/// ```swift
/// let trace = CoalescingTrace(capacity: 10_000)
/// CoalescingSystem.bootstrap(trace)
/// // Later:
/// try Data(trace.json.utf8).write(to: url)
/// ```
///
/// Perfetto and `chrome://tracing` open the file. In a test, the module `SimpleEventsTesting` draws a trace
/// as text.
///
/// The memory for the deliveries is allocated once. Recording a delivery allocates no memory.
///
/// Contracts: W1 to W4, see the article *Contracts* of the module SimpleEvents.
public final class CoalescingTrace: CoalescingMonitor {
  private struct Ring {
    var slots: [CoalescingDelivery?]
    /// The number of all deliveries so far.
    var count: Int = 0
  }

  private let capacity: Int
  /// Guards the deliveries. An overwritten delivery and its error are released after the lock is released.
  private let ring: Guarded<Ring>

  /// Creates a trace.
  ///
  /// - Parameter capacity: The number of deliveries that are kept, at least one. Each delivery takes 120
  ///   bytes, and keeps its source, its key and its error alive.
  public init(capacity: Int = 10_000) {
    self.capacity = max(1, capacity)
    ring = Guarded(Ring(slots: Array(repeating: nil, count: self.capacity)))
  }

  /// Records a delivery; replaces the oldest one if the trace is full.
  ///
  /// - Complexity: O(1).
  public func delivered(_ delivery: CoalescingDelivery) {
    var entry: CoalescingDelivery? = delivery
    ring.withLock { ring in
      swap(&ring.slots[ring.count % capacity], &entry)
      ring.count += 1
    }
  }

  /// The recorded deliveries in the order of their ends, oldest first.
  ///
  /// - Complexity: O(capacity).
  public var deliveries: [CoalescingDelivery] { contents.deliveries }

  /// The number of deliveries that newer ones have replaced.
  public var overwrittenCount: Int { contents.overwrittenCount }

  var contents: (deliveries: [CoalescingDelivery], overwrittenCount: Int) {
    var deliveries: [CoalescingDelivery] = []
    // The array is allocated before the lock is taken, so that a delivery on another thread waits only while
    // the deliveries are copied.
    deliveries.reserveCapacity(capacity)
    let overwrittenCount = ring.withLock { ring in
      for offset in 0..<capacity {
        // NB: the array is not copied as a whole, because the next delivery would then have to copy it again.
        if let delivery = ring.slots[(ring.count + offset) % capacity] { deliveries.append(delivery) }
      }
      return max(0, ring.count - capacity)
    }
    return (deliveries, overwrittenCount)
  }
}

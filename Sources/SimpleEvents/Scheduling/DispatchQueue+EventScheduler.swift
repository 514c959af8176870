public import Dispatch

/// A dispatch queue as a scheduler: its turns are the queue's, its clock is the monotonic uptime clock.
///
/// On a serial queue work runs one at a time; on a concurrent queue it starts in order but may overlap,
/// which is safe for everything built on it (C1). The main queue needs somebody to drain it: a program
/// without an `async` main function calls `dispatchMain()`.
extension DispatchQueue: EventScheduler {
  /// The current reading of the monotonic uptime clock.
  public var now: EventInstant {
    EventInstant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  /// Whether the caller runs on this queue, or on one that targets it.
  ///
  /// - Complexity: O(1), under a lock on the first call for a queue.
  public var isCurrent: Bool {
    DispatchQueue.getSpecific(key: marker.key) != nil
  }

  /// Runs work on the next turn of this queue.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    async(execute: work)
  }

  /// Runs work on this queue at a deadline of the uptime clock.
  public func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    DispatchTimerWork(queue: self, deadline: deadline, tolerance: tolerance, work)
  }
}

extension DispatchQueue {
  /// What marks one queue: a key of its own.
  ///
  /// A queue that targets another one sees the other's specifics behind its own, so a key shared by all
  /// queues would hide the target. A key for each queue makes "on this queue or above it" one look-up.
  private final class Marker: Sendable {
    let key: DispatchSpecificKey<Bool> = DispatchSpecificKey()
  }

  private static let markerKey: DispatchSpecificKey<Marker> = DispatchSpecificKey()
  /// Guards the first marking of a queue, so that two threads do not give it two markers.
  private static let marking: Guarded<Void> = Guarded(())

  private var marker: Marker {
    if let marker = getSpecific(key: Self.markerKey) {
      return marker
    }
    return Self.marking.withLock { _ in
      if let marker = getSpecific(key: Self.markerKey) {
        return marker
      }
      let marker = Marker()
      setSpecific(key: marker.key, value: true)
      setSpecific(key: Self.markerKey, value: marker)
      return marker
    }
  }
}

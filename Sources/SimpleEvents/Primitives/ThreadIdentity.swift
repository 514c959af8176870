// NB: these functions are in C because neither the standard library nor Dispatch identifies the current
// thread, yields its processor or suspends it for a time. The identity of a thread serves to detect nested
// cycles (H6), nested values (V3) and the driver of a test scheduler (S3).
public import CSimpleEvents

/// An identity of a thread, unique among the threads that are running.
///
/// It is the number that the kernel gave to the thread, so it takes four bytes.
@frozen @usableFromInline package struct ThreadIdentity: Hashable, Sendable {
  @usableFromInline let number: UInt32

  @inlinable init(number: UInt32) { self.number = number }

  /// The identity of the calling thread.
  @inlinable package static var current: ThreadIdentity {
    ThreadIdentity(number: simple_events_current_thread())
  }

  /// Lets another thread that is ready use the processor of the calling thread.
  @usableFromInline package static func yieldProcessor() { simple_events_yield_processor() }

  /// Suspends the calling thread for a millisecond.
  @usableFromInline package static func sleepForMillisecond() { simple_events_sleep_for_millisecond() }
}

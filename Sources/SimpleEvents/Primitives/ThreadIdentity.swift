// NB: neither the standard library nor Dispatch says which thread it runs on, which nested cycles (H6),
// nested values (V3) and the driver of a test scheduler (S3) depend on. Neither yields a processor
// or suspends a thread for a time.
public import CSimpleEvents

/// An identity of a thread, unique among the threads that are running.
@frozen @usableFromInline package struct ThreadIdentity: Hashable, Sendable {
  @usableFromInline let bits: UInt

  @inlinable init(bits: UInt) { self.bits = bits }

  /// The calling thread.
  @inlinable package static var current: ThreadIdentity {
    ThreadIdentity(bits: UInt(simple_events_current_thread()))
  }

  /// Lets another thread that is ready use the processor of the calling thread.
  @usableFromInline package static func yieldProcessor() { simple_events_yield_processor() }

  /// Suspends the calling thread for a millisecond.
  @usableFromInline package static func sleepForMillisecond() { simple_events_sleep_for_millisecond() }
}

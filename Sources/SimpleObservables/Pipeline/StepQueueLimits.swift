/// The number of steps of other threads that one call performs (V3).
@usableFromInline let foreignStepLimit: Int = 64

/// A thread yields its processor if its step makes the number of queued steps a multiple of this number (V3).
///
/// Without the yield, senders that occupy all processors delay the thread that performs the steps.
@usableFromInline let yieldInterval: Int = 1024

/// From this number of queued steps on, a thread other than the performing one sleeps instead of yielding
/// (V3).
///
/// A yield does not slow down a sender that has a processor to itself. Beside other programs, the performing
/// thread may get no processor for tens of milliseconds, during which two senders queue a million values. The
/// length of the sleep does not depend on the delivery, so no sender is blocked by it.
@usableFromInline let sleepCount: Int = 16 * yieldInterval

/// The number of steps of other threads that one call performs (V3).
@usableFromInline let foreignStepLimit: Int = 64

/// A thread whose step makes the number of queued steps a multiple of this number yields its processor (V3).
///
/// Without the yield, two senders that occupy both processors delay the thread that performs the steps.
@usableFromInline let yieldInterval: Int = 1024

/// From this number of queued steps on, a thread that does not perform the steps sleeps instead of yielding
/// its processor (V3).
///
/// A yield does not slow down a sender that has a processor to itself. If other programs run, the thread that
/// performs the steps may get no processor for tens of milliseconds. In this time, two senders queue a
/// million values. The sleep does not depend on the delivery, so no sender blocks on it.
@usableFromInline let sleepCount: Int = 16 * yieldInterval

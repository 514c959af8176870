/// The number of steps of other threads that one call performs (V3).
@usableFromInline let foreignStepLimit: Int = 64

/// A thread whose step makes the number of queued steps a multiple of this yields its processor (V3).
///
/// Without that, two senders that occupy both processors delay the thread that performs the steps.
@usableFromInline let yieldInterval: Int = 1024

/// From this number of queued steps on, another thread than the performing one sleeps in the place of a yield
/// (V3).
///
/// A yield does not slow a sender down that has a processor to itself. Beside other programs, the thread that
/// performs the steps may get no processor for tens of milliseconds, in which two senders queue a million
/// values. The sleep does not depend on the delivery, so no sender blocks on it.
@usableFromInline let sleepCount: Int = 16 * yieldInterval

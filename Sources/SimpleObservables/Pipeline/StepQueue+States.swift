public import SimpleEvents
public import Synchronization

/// The state of a step queue.
@frozen @usableFromInline enum StepQueuePhase: UInt8, AtomicRepresentable {
  /// No step is performed, and none is queued.
  case idle
  /// A thread performs a step, and no other step is queued.
  case performing
  /// Steps are queued. A thread performs another step, or a global queue will perform the queued steps.
  case queued
  /// Steps are queued, as in `queued`, and the first of them is urgent.
  case urgent

  /// Whether steps are queued.
  @inlinable var hasSteps: Bool { rawValue >= Self.queued.rawValue }
}

/// The kind of a step that is submitted.
@frozen @usableFromInline enum StepAdmission {
  /// The step has no effect.
  case refused
  /// The step is performed.
  case kept
  /// The step is performed, unless another replaceable step is queued directly after it.
  case replaceable
}

/// The next action of the thread that has submitted a step.
@frozen @usableFromInline enum StepOutcome {
  /// The thread performs the step.
  case performs
  /// The thread returns. The step is queued, or it has no effect.
  case returns
  /// The thread yields its processor, because many steps are queued, and then returns.
  case yields
  /// The thread sleeps for a millisecond, because very many steps are queued, and then returns.
  case sleeps
}

/// A step in a queue.
@frozen @usableFromInline struct QueuedStep<Step> {
  @usableFromInline let step: Step
  /// Whether a thread other than the performing one has submitted the step.
  @usableFromInline let isForeign: Bool
  /// Whether a later replaceable step may replace the step.
  @usableFromInline let isReplaceable: Bool
  /// Whether the step comes before all steps that were queued earlier.
  @usableFromInline let isUrgent: Bool

  @inlinable init(step: Step, isForeign: Bool, isReplaceable: Bool, isUrgent: Bool) {
    self.step = step
    self.isForeign = isForeign
    self.isReplaceable = isReplaceable
    self.isUrgent = isUrgent
  }
}

/// The part of the state that most step queues do not need.
@_fixed_layout @usableFromInline class StepQueueDetails<Step> {
  /// The queued steps, without the one that is performed.
  ///
  /// SAFETY: used under the lock of the queue only, so no two accesses overlap.
  @exclusivity(unchecked) @usableFromInline final var queued: Fifo<QueuedStep<Step>> = Fifo()

  @inlinable init() {}
}

/// The largest number of steps of other threads that one call performs (V3).
@usableFromInline let foreignStepLimit: Int = 64

/// A thread yields its processor if its step makes the number of queued steps a multiple of this number (V3).
///
/// Without the yield, senders that occupy all processors delay the thread that performs the steps.
@usableFromInline let yieldInterval: Int = 1024

/// From this number of queued steps on, a thread other than the performing one sleeps instead of yielding
/// (V3).
///
/// A yield does not slow down a sender that has a processor to itself. Beside other programs, the performing
/// thread may get no processor for tens of milliseconds. In this time two senders queue a million values. The
/// length of the sleep does not depend on the delivery, so no delivery blocks a sender.
@usableFromInline let sleepCount: Int = 16 * yieldInterval

public import Synchronization

/// The state of a step queue.
@frozen @usableFromInline enum StepQueuePhase: UInt8, AtomicRepresentable {
  /// No step is performed, and none is queued.
  case idle
  /// A thread performs a step, and no other step is queued.
  case performing
  /// A thread performs a step, or a global queue will, and further steps are queued.
  case queued
  /// A thread performs a step, or a global queue will, and the first queued step is urgent.
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
  /// The step is performed, unless another replaceable step is queued after it.
  case replaceable
}

/// The next action of the thread that has submitted a step.
@frozen @usableFromInline enum StepOutcome {
  /// The thread performs the step.
  case performs
  /// The thread returns. Another thread performs the step, or the step has no effect.
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

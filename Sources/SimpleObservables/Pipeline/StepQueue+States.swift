public import Synchronization

/// The state of a step queue.
@frozen @usableFromInline enum StepQueuePhase: UInt8, AtomicRepresentable {
  /// No step is performed, and none is queued.
  case idle
  /// A thread performs a step, and none is queued.
  case performing
  /// A thread performs a step, or a global queue will, and further steps are queued.
  case queued
  /// The same, and the first of the others is urgent.
  case urgent
}

/// The kind of a step that is submitted.
@frozen @usableFromInline enum StepAdmission {
  /// The step has no effect.
  case refused
  /// The step is performed.
  case kept
  /// The step is performed, unless another step of this kind is queued after it.
  case replaceable
}

/// The next action of the thread that has submitted a step.
@frozen @usableFromInline enum StepOutcome {
  /// It performs the step.
  case performs
  /// It returns. Another thread performs the step, or the step has no effect.
  case returns
  /// It yields its processor, because many steps are queued, and then returns.
  case yields
  /// It sleeps for a millisecond, because very many steps are queued, and then returns.
  case sleeps
}

/// A step in a queue.
@frozen @usableFromInline struct QueuedStep<Step> {
  @usableFromInline let step: Step
  /// Whether a thread other than the performing one has submitted the step.
  @usableFromInline let isForeign: Bool
  /// Whether a later step of this kind may take its place.
  @usableFromInline let isReplaceable: Bool
  /// Whether it comes before all steps that were queued earlier.
  @usableFromInline let isUrgent: Bool

  @inlinable init(step: Step, isForeign: Bool, isReplaceable: Bool, isUrgent: Bool) {
    self.step = step
    self.isForeign = isForeign
    self.isReplaceable = isReplaceable
    self.isUrgent = isUrgent
  }
}

public import SimpleEvents

/// The state of a step queue that most queues do not need.
@_fixed_layout @usableFromInline class StepQueueDetails<Step> {
  /// The queued steps, without the one that is performed.
  ///
  /// SAFETY: used under the lock of the queue only, so no two accesses overlap.
  @exclusivity(unchecked) @usableFromInline final var queued: Fifo<QueuedStep<Step>> = Fifo()

  @inlinable init() {}
}

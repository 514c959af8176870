public import SimpleEvents

/// Takes steps from anywhere, and performs them one at a time, in the order they came.
///
/// The rule that everything in this layer rests on. Whoever submits a step while nobody performs one does
/// so on the spot. A step that is submitted meanwhile, by a subscriber in the middle of a delivery or by
/// another thread, waits in line; the performer takes it next, and returns when nobody waits. So no
/// subscriber is called twice at once, all see the same sequence, and the stack does not grow.
///
/// Nothing is performed under the lock, and nobody ever blocks on somebody else's delivery.
@usableFromInline
final class SerialLine<Step> {
  /// Whether a step is being performed. Its lock guards the steps that wait as well. Its unlocking by one performer and locking by the next order all that they do,
  /// so that what is touched by performing steps only needs no lock of its own.
  ///
  /// NB: exclusivity is unchecked, since the lock is what ensures it: a check at run time would cost as much
  /// again, for each value.
  @usableFromInline let isBusy: Guarded<Bool> = Guarded(false)
  @exclusivity(unchecked) @usableFromInline var waiting: Fifo<Step> = Fifo()

  @inlinable
  init() {}

  /// Performs a step now, or has it performed by whoever is performing one.
  ///
  /// - Parameters:
  ///   - step: What to do.
  ///   - admits: Asked under the lock whether to do it at all; keeps what must change together with the
  ///     line.
  ///   - perform: Called under no lock. All callers pass the same function.
  /// - Complexity: O(1), plus the steps performed.
  @inlinable
  func submit(_ step: Step, if admits: () -> Bool = { true }, to perform: (Step) -> Void) {
    var isPerformer = false
    isBusy.withLock { isBusy in
      guard admits() else { return }
      if isBusy {
        waiting.append(step)
      } else {
        isBusy = true
        isPerformer = true
      }
    }
    if isPerformer {
      perform(step)
      performAll(to: perform)
    }
  }

  /// Puts a step in line, for a later ``resume(to:)``.
  ///
  /// - Parameter limit: How many steps may wait; the oldest make room. At least one.
  func append(_ step: Step, limit: Int) {
    // Let go when this returns: after the lock.
    var dropped: Step?
    isBusy.withLock { _ in
      waiting.append(step)
      if waiting.count > limit {
        dropped = waiting.popFirst()
      }
    }
    withExtendedLifetime(dropped) {}
  }

  /// Performs the steps that wait, unless somebody does already.
  func resume(to perform: (Step) -> Void) {
    var isPerformer = false
    isBusy.withLock { isBusy in
      isPerformer = !isBusy
      isBusy = true
    }
    if isPerformer {
      performAll(to: perform)
    }
  }

  @inlinable
  func performAll(to perform: (Step) -> Void) {
    while let step = next() {
      perform(step)
    }
  }

  @inlinable
  func next() -> Step? {
    var step: Step?
    isBusy.withLock { isBusy in
      if waiting.isEmpty {
        isBusy = false
      } else {
        step = waiting.popFirst()
      }
    }
    return step
  }
}

// NB: not checked by the compiler, since steps carry values and closures as the user gave them. The line
// keeps them behind its lock; where they are performed is the submitter's contract.
extension SerialLine: @unchecked Sendable {}

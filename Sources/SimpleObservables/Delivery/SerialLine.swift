public import SimpleEvents

/// Takes steps from anywhere, and performs them one at a time, in the order they came.
///
/// The rule that everything in this layer rests on. Whoever submits a step while nobody performs one does
/// so on the spot. A step that is submitted meanwhile, by a subscriber in the middle of a delivery or by
/// another thread, waits in line; the performer takes it next, and returns when nobody waits. So no
/// subscriber is called twice at once, all see the same sequence, and the stack does not grow.
///
/// Nothing is performed under the lock, and nobody ever blocks on somebody else's delivery.
@_fixed_layout
@usableFromInline
final class SerialLine<Step> {
  /// Whether a step is being performed. The lock guards the steps that wait as well: in one generic value
  /// with them it would be slower to create and to destroy.
  ///
  /// The unlocking by one performer and the locking by the next order everything that they do, so that a
  /// property which only performed steps use needs no lock of its own.
  @usableFromInline let isBusy: Guarded<Bool> = Guarded(false)
  /// SAFETY: used under the lock only, so no two accesses overlap. A check of that at run time would cost as
  /// much as the lock, for each value.
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
        unsafe waiting.append(step)
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
      unsafe waiting.append(step)
      if unsafe waiting.count > limit {
        dropped = unsafe waiting.popFirst()
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
      if unsafe waiting.isEmpty {
        isBusy = false
      } else {
        step = unsafe waiting.popFirst()
      }
    }
    return step
  }
}

// SAFETY: steps carry values and closures that need not be `Sendable`. They are behind the lock, and
// performed one at a time; the owner of the line states on which threads.
extension SerialLine: @unchecked Sendable {}

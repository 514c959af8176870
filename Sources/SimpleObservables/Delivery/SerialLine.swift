/// Takes steps from anywhere, and performs them one at a time, in the order they came.
///
/// The rule that everything in this layer rests on. Whoever submits a step while nobody performs one does
/// so on the spot. A step that is submitted meanwhile, by a subscriber in the middle of a delivery or by
/// another thread, waits in line; the performer takes it next, and returns when nobody waits. So no
/// subscriber is called twice at once, all see the same sequence, and the stack does not grow.
///
/// Nothing is performed under the lock, and nobody ever blocks on somebody else's delivery.
final class SerialLine<Step> {
  private struct State {
    var isBusy: Bool = false
    var waiting: Fifo<Step> = Fifo()
  }

  /// Guards the steps that wait. Its unlocking by one performer and locking by the next order all that
  /// they do, so that what is touched by performing steps only needs no lock of its own.
  private let state: Locked<State> = Locked(State())

  /// Performs a step now, or has it performed by whoever is performing one.
  ///
  /// - Parameters:
  ///   - step: What to do.
  ///   - admits: Asked under the lock whether to do it at all; keeps what must change together with the
  ///     line.
  ///   - perform: Called under no lock. All callers pass the same function.
  /// - Complexity: O(1), plus the steps performed.
  func submit(_ step: Step, if admits: () -> Bool = { true }, to perform: (Step) -> Void) {
    let isPerformer = state.withLock { state -> Bool in
      guard admits() else { return false }
      guard !state.isBusy else {
        state.waiting.append(step)
        return false
      }
      state.isBusy = true
      return true
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
    let dropped = state.withLock { state -> Step? in
      state.waiting.append(step)
      return state.waiting.count > limit ? state.waiting.popFirst() : nil
    }
    // Let go here: after the lock.
    withExtendedLifetime(dropped) {}
  }

  /// Performs the steps that wait, unless somebody does already.
  func resume(to perform: (Step) -> Void) {
    let isPerformer = state.withLock { state -> Bool in
      guard !state.isBusy else { return false }
      state.isBusy = true
      return true
    }
    if isPerformer {
      performAll(to: perform)
    }
  }

  /// Calls a body under the line's lock.
  func withLock<Result>(_ body: () -> Result) -> Result {
    state.withLock { _ in body() }
  }

  private func performAll(to perform: (Step) -> Void) {
    while let step = next() {
      perform(step)
    }
  }

  private func next() -> Step? {
    state.withLock { state in
      let step = state.waiting.popFirst()
      state.isBusy = step != nil
      return step
    }
  }
}

// NB: not checked by the compiler, since steps carry values and closures as the user gave them. The line
// keeps them behind its lock; where they are performed is the submitter's contract.
extension SerialLine: @unchecked Sendable {}

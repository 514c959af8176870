// These methods serve loops, whose deliveries are runs.
//
// A run that is due has a task that is *starting* the run, unless another run is in progress or the loop
// waits for a retry. During a run, the traits of the policy select the effect of a turn on a delivery that is
// due (L3): the delivery is part of the *next* run, cancels the run in progress, or is dropped. During a wait
// for a retry, the delivery is part of the retry (L8).
extension CoalescingGate {
  /// The state of a loop after a run.
  package enum RunEnd {
    /// The work is complete.
    case done
    /// The work is repeated by a run that is due now.
    case repeats
    /// The work is repeated by a run that is due after a wait (L8).
    case waits
  }

  /// Whether a run is due, and a task was requested to begin it.
  package var isRunDue: Bool { flags.contains(.starting) && flags.isDueOrNext }

  /// Whether the loop waits for a retry.
  package var isWaiting: Bool { flags.isWaiting }

  /// Whether the policy ignores signals while a window is open.
  package var mayIgnoreSignals: Bool { policy.edges == .leading }

  /// Whether a delivery that is due cannot start a run.
  var isBusy: Bool { isRunning || isWaiting }

  /// Begins the run that is due; returns nil if no run is due any longer.
  ///
  /// The run covers the signals of the delivery that is due. If the run follows another run, or is a retry,
  /// it covers all pending signals, unless deliveries cancel runs (L3, L8).
  @usableFromInline package mutating func begin() -> Step? {
    defer { checkInvariants() }
    let isRunDue = isRunDue
    flags.remove(.starting)
    guard isRunDue else { return nil }
    var delivers = flags.remove(.due) != nil
    // The window stays open: elements that the run leaves may have to wait for its end (C12).
    if flags.remove(.next) != nil && !policy.traits.contains(.restarts) && flags.remove(.undelivered) != nil {
      delivers = true
    }
    flags.insert(.running)
    return Step(delivers: delivers)
  }

  /// Records that the host, the task that makes the runs, is about to wait; returns false if a run is due.
  ///
  /// The host is resumed for the next run, even if it was resumed before and found no run.
  package mutating func awaitRun() -> Bool {
    guard !isRunDue else { return false }
    flags.remove(.starting)
    return true
  }

  /// Ends the run in progress.
  ///
  /// - Parameters:
  ///   - end: The state of the loop after the run.
  ///   - isFlushed: Whether the next run covers the signals of the pending delivery, and does not wait for
  ///     that delivery (C7).
  ///   - isFull: Whether a run follows even if a window is open, because elements are left for a further
  ///     run (C12).
  package mutating func end(_ end: RunEnd, isFlushed: Bool = false, isFull: Bool = false) -> Step {
    defer { checkInvariants() }
    flags.remove(.running)
    var step = Step()
    if isFlushed && isDeliveryPending {
      dropDelivery()
      flags.insert(.next)
      step.delivers = true
    }
    switch end {
    case .waits:
      flags.insert(.next)
      return step
    case .repeats:
      flags.insert(.next)
    case .done:
      // If a delivery is pending, the next run waits for that delivery (L3).
      let joins = flags.contains(.undelivered) && !policy.traits.contains(.restarts)
      if isFull { flags.insert(.next) } else if joins { flags.remove(.next) }
    }
    return startRun(step)
  }

  /// Ends the wait for a retry. The next attempt covers the signals of a pending delivery (L8).
  @usableFromInline package mutating func endWait() -> Step {
    defer { checkInvariants() }
    if isDeliveryPending { dropDelivery() }
    return startRun()
  }

  /// Closes the window, and makes a pending delivery and a waiting retry due (C7).
  ///
  /// - Parameter isSignalled: Whether a signal is on its way to the gate.
  package mutating func flush(isSignalled: Bool) -> Step {
    defer { checkInvariants() }
    closeWindow()
    if flags.remove(.undelivered) != nil || isSignalled { flags.insert(.due) }
    return isWaiting ? startRun() : ask()
  }

  /// Ignores later signals, and lets one last run follow if anything is pending (L5).
  ///
  /// - Parameter isPending: Whether there is a pending request that the gate does not know.
  package mutating func concludeRuns(isPending: Bool) -> Step {
    defer { checkInvariants() }
    let isPending = isPending || self.isPending
    close()
    guard isPending else { return Step() }
    flags.insert(.next)
    return isRunning ? Step() : startRun()
  }

  /// Drops the pending delivery and the next run, and ignores later signals. A run in progress continues.
  package mutating func close() {
    defer { checkInvariants() }
    cancel()
    policy.edges = []
  }

  /// Makes a due delivery part of the next run if the delivery cannot start a run. During a run, the trait
  /// `ignores` drops the delivery instead. Called on a turn.
  mutating func passOn() -> Step {
    guard isBusy else { return Step() }
    flags.remove(.due)
    var step = Step(delivers: true)
    if isRunning && !policy.traits.contains(.ignores) {
      flags.insert(.next)
      step.cancelsRun = policy.traits.contains(.restarts)
    }
    return step
  }

  /// Requests a task if a run is due, unless a requested task is still to come.
  ///
  /// - Parameter step: The step to which the request is added.
  mutating func startRun(_ step: Step = Step()) -> Step {
    var step = step
    if flags.isDueOrNext { step.startsRun = flags.insert(.starting).inserted }
    return step
  }
}

extension CoalescingGate.Flags {
  /// Whether a delivery is due, or the flag `next` is set: a run follows the run in progress, or the wait for
  /// a retry.
  @inlinable var isDueOrNext: Bool { rawValue & 132 != 0 }

  /// Whether the loop waits for a retry: the flag `next` is set, no run is in progress, and no task is
  /// requested.
  @inlinable var isWaiting: Bool { rawValue & 208 == 128 }
}

// These methods serve batches with a size. A full batch does not wait for the end of a window, and the
// elements that it leaves stay pending (C12).
extension CoalescingGate {
  /// The elements that a delivery leaves queued, because its batch is full (C12).
  @frozen @usableFromInline package struct Rest {
    @usableFromInline package var count: Int
    /// Whether the elements are due even if a window is open.
    @usableFromInline package var isDue: Bool
    /// The number of batches that are still needed for the elements that were queued at the latest flush.
    @usableFromInline var flushedBatches: Int

    @inlinable package init(count: Int = 0, isDue: Bool = false, flushedBatches: Int = 0) {
      self.count = count
      self.isDue = isDue
      self.flushedBatches = flushedBatches
    }
  }

  /// Closes the window after a signal, and makes a delivery due, because a batch is full (C12).
  mutating func fill(_ step: inout Step) {
    let full = conclude(isHere: false)
    step.alarm = nil
    step.requestsTurn = step.requestsTurn || full.requestsTurn
    step.startsRun = step.startsRun || full.startsRun
  }

  /// Keeps a delivery pending for the elements that a full batch leaves (C12). Called when the delivery of
  /// the full batch starts.
  ///
  /// The elements wait for the end of the open window. If no window is open, if the policy has a leading
  /// edge, or if `isDue` is true, they are delivered on the next turn, or in the next run of a loop.
  package mutating func leave(_ rest: Rest) {
    defer { checkInvariants() }
    guard rest.count > 0 else { return }
    if !rest.isDue && flags.contains(.open) && policy.edges == .trailing {
      flags.insert(.undelivered)
    } else {
      flags.insert(policy.traits.contains(.makesRuns) ? .next : .due)
    }
  }
}

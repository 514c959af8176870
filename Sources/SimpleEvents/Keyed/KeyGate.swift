/// The gate of one key. It does not store the policy, because all keys of an object share the policy.
///
/// The gate needs no tickets, because the queue of deadlines has at most one item for each key. The gate
/// records the end of a delivery together with its start, because the object ensures that deliveries do not
/// overlap. For a loop, a delivery is a run, and the task of the run records the end.
@frozen @usableFromInline struct KeyGate {
  // The properties are in this order so that the small ones lie in the padding at the end.
  @usableFromInline var end: EventInstant = .distantFuture
  @usableFromInline var limit: EventInstant = .distantFuture
  /// The place of the key in the queue of deadlines; nil while no window is open.
  @usableFromInline var slot: UInt32?
  @usableFromInline var flags: CoalescingGate.Flags = []

  @usableFromInline init() {}

  /// Whether a delivery will come without a further signal.
  @inlinable var isPending: Bool { !flags.isDisjoint(with: .pending) }

  /// Whether the key is in the queue of due keys.
  @inlinable var isQueued: Bool { flags.contains(.asked) }

  /// Whether nothing is pending and no window is open, so that the key needs no gate.
  @inlinable var isQuiet: Bool { flags.rawValue == 0 }

  /// Whether a window is open.
  @inlinable var isOpen: Bool { flags.contains(.open) }

  /// The end of the open window, or the earlier instant by which its signals must be delivered.
  @usableFromInline var deadline: EventInstant { min(end, limit) }

  /// Whether a signal joins the pending delivery and changes nothing. Called only if signals need no instant.
  @inlinable func coversSignals(by policy: CoalescingPolicy) -> Bool {
    !flags.isDisjoint(with: .dueOrUndelivered) && (policy.interval == 0 || isOpen)
  }

  /// Accepts a signal.
  ///
  /// - Parameter now: The instant of the signal; nil if the clock was not read.
  @usableFromInline mutating func signal(at now: EventInstant?, by policy: CoalescingPolicy) -> KeyedSignal {
    guard let step = change(by: policy, { $0.signal(at: now) }) else { return .needsInstant }
    return step.isAccepted ? .accepted : .ignored
  }

  /// Accepts the turn for which the key was queued; returns whether a delivery starts.
  @usableFromInline mutating func turnReached(by policy: CoalescingPolicy) -> Bool {
    change(by: policy) { $0.turnReached().delivers }
  }

  /// Accepts an instant at the deadline or after it; returns whether a delivery starts.
  ///
  /// A gate arms no alarm for a window without the trailing edge. Such a window is closed here, so that the
  /// key can be forgotten. The closing has no other effect: after a passed window, the next signal opens a
  /// new window anyway.
  @usableFromInline mutating func deadlineReached(at now: EventInstant, by policy: CoalescingPolicy) -> Bool {
    change(by: policy) { gate in
      let step = gate.deadlineReached(at: now, ticket: 0)
      if policy.edges == .leading { gate.closeWindow() }
      return step.delivers
    }
  }

  /// Closes the window, and makes the delivery due; returns whether the delivery starts.
  ///
  /// - Parameter isHere: Whether the caller can deliver.
  @usableFromInline mutating func conclude(isHere: Bool, by policy: CoalescingPolicy) -> Bool {
    change(by: policy) { $0.conclude(isHere: isHere).delivers }
  }

  /// Ends a delivery that has started. The elements that the delivery leaves stay pending.
  @usableFromInline mutating func finish(leaving rest: CoalescingGate.Rest, by policy: CoalescingPolicy) {
    change(by: policy) { gate in
      gate.leave(rest)
      if !policy.traits.contains(.makesRuns) { _ = gate.deliveryFinished() }
    }
  }

  /// Drops the pending delivery, and closes the window.
  @usableFromInline mutating func cancel(by policy: CoalescingPolicy) { change(by: policy) { $0.cancel() } }

  /// Closes the window and makes a delivery due, because a batch is full (C12).
  @usableFromInline mutating func fill(by policy: CoalescingPolicy) {
    change(by: policy) { _ = $0.conclude(isHere: false) }
  }

  /// The gate with its policy.
  @usableFromInline package func whole(by policy: CoalescingPolicy) -> CoalescingGate {
    var gate = self
    return gate.change(by: policy) { $0 }
  }

  /// Changes the gate.
  @usableFromInline mutating func update(by policy: CoalescingPolicy, _ body: (inout CoalescingGate) -> Void)
  {
    change(by: policy, body)
  }

  /// Calls a function with the whole gate, and stores the changes.
  mutating func change<Result>(
    by policy: CoalescingPolicy, _ body: (inout CoalescingGate) -> Result
  ) -> Result {
    var gate = CoalescingGate(policy: policy)
    (gate.end, gate.limit, gate.flags) = (end, limit, flags)
    defer { (end, limit, flags) = (gate.end, gate.limit, gate.flags) }
    return body(&gate)
  }
}

/// The effect of a signal of a key.
@frozen @usableFromInline package enum KeyedSignal {
  /// The signal is to be repeated with its instant.
  case needsInstant
  /// The owner does not admit the signal.
  case refused
  /// The policy ignores the signal.
  case ignored
  case accepted
}

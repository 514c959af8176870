// These methods close windows early, and collect the effects that the owner performs after a change.
extension KeyedGates {
  /// The actions that the owner performs, under no lock.
  @frozen @usableFromInline package struct Effects {
    @usableFromInline var asksTurn: Bool = false
    /// A timer to cancel, before the alarm is armed.
    @usableFromInline var unused: (any ScheduledWork)?
    @usableFromInline var alarm: CoalescingGate.Alarm?
    /// The forgotten keys, which the owner releases.
    @usableFromInline var forgotten: [Key] = []
    /// Whether the object is to be flagged (C11).
    @usableFromInline var isFed: Bool = false

    @inlinable init(forgotten: [Key], isFed: Bool) {
      self.forgotten = forgotten
      self.isFed = isFed
    }

    /// Whether there is nothing to perform, except for the release of keys.
    @inlinable var isEmpty: Bool { !asksTurn && unused == nil && alarm == nil && !isFed }
  }

  /// Drops the pending delivery of a key, and closes the window of the key; returns nil if the key has no
  /// entry.
  @inlinable mutating func cancel(_ key: Key) -> Taken<Payload>? {
    guard let index = entries.index(forKey: key) else { return nil }
    let fresh = fresh
    // A flush in progress continues, unless it is the flush of this key.
    let kept = flushed?.key == key ? nil : flushed
    defer { flushed = kept }
    return change(index, cancels: true) { _, payload in
      defer { payload = fresh }
      return payload
    } _: { gate, policy in
      gate.cancel(by: policy)
      return true
    }
  }

  /// Drops the pending deliveries of all keys, and closes the windows of the keys. A requested turn will
  /// still come.
  ///
  /// - Returns: The gates before the change.
  mutating func cancelAll() -> Self {
    let all = self
    (entries, flushed) = ([:], nil)
    (due, deadlines, pendingCount) = (Fifo(), TimeQueue(), 0)
    if case .due(_, let cause) = stage { stage = .due(left: 0, cause) }
    return all
  }

  /// Records that a turn or an alarm is lost, and drops everything; returns nil if the alarm is void (S7).
  ///
  /// - Parameter ticket: The ticket of the alarm; nil for a turn.
  mutating func lose(alarm ticket: UInt16?) -> Self? {
    noteLoss(alarm: ticket) ? cancelAll() : nil
  }

  private mutating func noteLoss(alarm ticket: UInt16?) -> Bool {
    if let ticket { return takeAlarm(ticket) }
    isTurnAsked = false
    return true
  }

  /// Records that a turn or an alarm is lost, and empties the queue of due keys (S7); returns false if the
  /// alarm is void.
  ///
  /// - Parameter ticket: The ticket of the alarm; nil for a turn.
  package mutating func loseTurns(alarm ticket: UInt16?) -> Bool {
    guard noteLoss(alarm: ticket) else { return false }
    due = Fifo()
    if case .due(_, let cause) = stage { stage = .due(left: 0, cause) }
    return true
  }

  /// Takes the effects of all changes since the last call.
  ///
  /// While a stage is in progress, turns and alarms are left to the call at the end of the stage.
  @inlinable package mutating func takeEffects() -> Effects {
    defer { checkInvariants() }
    var effects = Effects(forgotten: forgotten, isFed: isFed)
    (isFed, needsEffects, forgotten) = (false, false, [])
    guard stage.isIdle else { return effects }
    effects.asksTurn = !due.isEmpty && !isTurnAsked
    isTurnAsked = isTurnAsked || effects.asksTurn
    let deadline = nextAlarm
    if alarm <= deadline && deadline < .distantFuture { return effects }
    effects.unused = timer.take()
    alarm = deadline
    if deadline < .distantFuture {
      ticket &+= 1
      effects.alarm = CoalescingGate.Alarm(deadline: deadline, ticket: ticket)
    }
    return effects
  }

  /// The instant of the next alarm; the distant future if no alarm is needed.
  ///
  /// With a leading-only policy, the end of a window only lets its key be forgotten. The alarm comes one
  /// interval after that end, so that one alarm serves many keys.
  @inlinable var nextAlarm: EventInstant {
    mutating get {
      let first = deadlines.first() ?? .distantFuture
      return min(afterWindow(first), line.retries.first() ?? .distantFuture)
    }
  }

  /// Whether keys are pending, but no key becomes due, because their windows (C8) or their waits for a retry
  /// (L8) never end.
  @usableFromInline package var isEndless: Bool {
    pendingCount > 0 && due.isEmpty && alarm == .distantFuture && line.ready.count == 0
  }

  @usableFromInline func afterWindow(_ end: EventInstant) -> EventInstant {
    policy.edges == .leading ? end.advanced(byNanoseconds: policy.interval) : end
  }

  /// Checks that the queues and the count agree with the gates.
  ///
  /// - Complexity: O(n) for n keys; O(1) if there are more keys than `invariantSize`.
  @usableFromInline func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      guard entries.count <= invariantSize else { return }
      invariant(
        entries.values.allSatisfy { !$0.gate.isQuiet }, "K2: a key that is quiet has no entry")
      invariant(
        entries.values.count { $0.gate.isPending } == pendingCount, "K1: pending keys are counted")
      invariant(
        entries.values.count { $0.gate.isQueued } == due.count,
        "K3: a key has one place among the due ones")
      invariant(
        entries.values.allSatisfy { $0.gate.isOpen == ($0.gate.slot != nil) }
          && entries.values.count { $0.gate.slot != nil } == deadlines.count,
        "K3: a key with a window has one deadline")
      invariant(
        entries.values.count { $0.gate.flags.isWaiting } == line.retries.count
          && entries.values.count { $0.gate.flags.contains(.starting) } >= line.ready.count
          && line.ready.count + line.retries.count == line.tickets.count,
        "K4: a key is in the line, or waits for a retry, or neither")
      invariant(
        !stage.isIdle || due.isEmpty || isTurnAsked, "C2: keys that are due have a turn")
    #endif
  }
}

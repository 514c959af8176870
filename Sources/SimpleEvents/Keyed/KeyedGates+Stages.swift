/// The reason why a stage begins.
@frozen @usableFromInline package enum KeyedStart<Key> {
  case turn
  /// An alarm, with its ticket and the current instant.
  case alarm(UInt16, EventInstant)
  /// A request to deliver a key now.
  case flush(Key)
  /// A request to deliver all keys now.
  case flushAll
}

extension KeyedGates {
  /// Begins a stage, and takes its first key; returns nil if no stage has begun, or if the stage is already
  /// over.
  ///
  /// If a stage is in progress, no other stage begins: the requested deliveries follow on the next turn, or
  /// at the next alarm.
  @inlinable mutating func begin<Batch>(
    _ start: KeyedStart<Key>, taking take: Take<Batch>
  ) -> Taken<Batch>? {
    switch start {
    case .turn:
      isTurnAsked = false
      return begin(.due(left: due.count, .turn)) ? next(taking: take) : nil
    case .alarm(let ticket, let now):
      guard takeAlarm(ticket) else { return nil }
      deadlines.sort()
      return begin(.deadlines(until: lastPassed(at: now))) ? next(taking: take) : nil
    case .flush(let key):
      guard let index = entries.index(forKey: key), entries[index].value.gate.isPending else { return nil }
      let isHere = begin(.due(left: 0, .flush))
      let taken = change(index, taking: take) { $0.conclude(isHere: isHere, by: $1) }
      return isHere ? taken : nil
    case .flushAll:
      concludeAll()
      return begin(.due(left: due.count, .flush)) ? next(taking: take) : nil
    }
  }

  @usableFromInline mutating func begin(_ stage: Stage) -> Bool {
    guard self.stage.isIdle else { return false }
    self.stage = stage
    return true
  }

  /// Records that an alarm has fired or is lost; returns false if the alarm is void.
  @usableFromInline mutating func takeAlarm(_ ticket: UInt16) -> Bool {
    guard alarm < .distantFuture && ticket == self.ticket else { return false }
    alarm = .distantFuture
    return true
  }

  /// Closes the windows of all pending keys, and makes the keys due in the order of their deadlines.
  @usableFromInline mutating func concludeAll() {
    for key in pendingKeys {
      guard let index = entries.index(forKey: key) else { continue }
      let before = entries[index].value.gate
      var gate = before
      _ = gate.conclude(isHere: false, by: policy)
      settle(index, key, gate, was: before)
    }
  }

  /// The pending keys, in the order of their deliveries.
  ///
  /// - Complexity: O(n log n).
  package var pendingKeys: [Key] { orderedKeys.filter { entries[$0]?.gate.isPending ?? false } }

  /// The keys that are not quiet: first the due keys, then the keys that wait for an instant, and then all
  /// others.
  ///
  /// - Complexity: O(n log n).
  package var orderedKeys: [Key] {
    let retries = line.retries.sorted
    // A key that waits for a retry is due at the retry. A delivery on a turn or at the end of a window only
    // joins the retry (L8).
    let retried = Set(retries.map(\.element))
    let deadlines = deadlines.sorted
    // A key whose window has moved comes after the other keys with the same deadline: when its old deadline
    // passes, the key is put back into the queue behind them.
    let keys = deadlines.filter { !hasMoved($0) } + deadlines.filter(hasMoved)
    let windows = keys.compactMap { _, key in
      // A window makes its key due only if a signal of the window is undelivered.
      entries[key].map { entry in
        (
          instant: entry.gate.flags.contains(.undelivered) ? entry.gate.deadline : .distantFuture,
          element: key
        )
      }
    }
    // At the same instant, retries come before windows.
    let waiting = retries.map { ($0, $1) } + windows.filter { !retried.contains($0.element) }
    let known =
      due.all.filter { !retried.contains($0) } + line.ready.sorted.map(\.element)
      + waiting.sorted { $0.instant < $1.instant }.map(\.element)
    var seen: Set<Key> = []
    return (known + entries.keys).filter { seen.insert($0).inserted }
  }

  /// Whether the window of a key ends later than the deadline with which the key is queued.
  private func hasMoved(_ queued: (deadline: EventInstant, element: Key)) -> Bool {
    entries[queued.element].map { $0.gate.deadline > queued.deadline } ?? false
  }

  /// The latest end of the windows that have passed at an instant.
  ///
  /// A signal at the end of a window belongs to that window (C6). A window without an alarm therefore passes
  /// one nanosecond after its end.
  @usableFromInline func lastPassed(at now: EventInstant) -> EventInstant {
    policy.edges == .leading ? now.advanced(byNanoseconds: -1) : now
  }

  /// Takes the next key of the stage; returns nil at the end of the stage.
  @inlinable mutating func next<Batch>(taking take: Take<Batch>) -> Taken<Batch>? {
    if let (key, batches) = flushed.take(), batches > 0, let index = entries.index(forKey: key),
      rest(entries.values[index].payload).flushedBatches > 0
    {
      let taken = change(index, taking: take) { $0.conclude(isHere: true, by: $1) }
      // The batches of a further flush that is called in this delivery follow on the next turn.
      flushed?.batches = batches - 1
      return taken
    }
    switch stage {
    case .due(let left, let cause) where left > 0:
      guard let key = due.popFirst(), let index = entries.index(forKey: key) else { break }
      stage = .due(left: left - 1, cause)
      entries.values[index].gate.flags.remove(.asked)
      return change(index, taking: take) { $0.turnReached(by: $1) }
    case .deadlines(let until):
      if let taken = takePassed(until: until, taking: take) { return taken }
    case .idle, .due: break
    }
    end()
    return nil
  }

  @usableFromInline mutating func end() {
    stage = .idle
    isFed = feedback.noteEnd()
  }

  /// Up to two keys whose windows have passed.
  @usableFromInline package typealias Passed = (Taken<Void>?, Taken<Void>?)

  /// Forgets up to two keys whose windows have passed.
  ///
  /// A signal calls this method if windows have no alarms. A signal adds at most one key, so keys with passed
  /// windows do not accumulate.
  @inlinable package mutating func forgetPassed(at now: EventInstant) -> Passed {
    let first = takePassed(until: lastPassed(at: now)) { _, _ in }
    return (first, first == nil ? nil : takePassed(until: lastPassed(at: now)) { _, _ in })
  }

  /// Takes the first key whose deadline is not later than an instant.
  @inlinable mutating func takePassed<Batch>(
    until instant: EventInstant, taking take: Take<Batch>
  ) -> Taken<Batch>? {
    while true {
      if makesRuns, let key = takeRetry(until: instant) { return (key, nil, CoalescingGate.Rest()) }
      guard let item = deadlines.pop(until: instant), let key = deadlines.take(item.ticket),
        let index = entries.index(forKey: key)
      else { return nil }
      let deadline = entries[index].value.gate.deadline
      guard deadline == item.deadline else {
        // The end of the window has moved. The key is put back into the queue of deadlines.
        entries.values[index].gate.slot = UInt32(deadlines.push(key, at: deadline).slot)
        continue
      }
      entries.values[index].gate.slot = nil
      if makesRuns { cause = .deadline }
      return change(index, taking: take) { $0.deadlineReached(at: instant, by: $1) }
    }
  }
}

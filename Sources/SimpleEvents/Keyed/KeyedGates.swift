/// The gates of all keys of one object, and the deliveries that are due. The lock of the object guards them.
///
/// A key has an entry until its gate is quiet (K2). While a turn is requested for a key, the key is in the
/// queue of due keys. While the window of a key is open, the key is in the queue of deadlines. A signal that
/// moves the end of the window changes only the gate. If the key is then taken from the queue before the new
/// end, it is put back. The key of a window that ends without a delivery is in the queue as well, so that the
/// key is forgotten.
///
/// A *stage* delivers keys one after another. Each key is taken immediately before its delivery, so that it
/// can be cancelled until then. Deliveries do not overlap, because there is one stage at a time (K1).
///
/// Removed keys and payloads are returned to the caller, which releases them after the lock is released. The
/// queues contain the key of the entry itself, and not an equal key.
// NB: the methods are inlinable, as in `TimeQueue`. Code that is not specialised for the type of the keys
// takes ten times as long.
@usableFromInline package struct KeyedGates<Key: Hashable, Payload> {
  @frozen @usableFromInline struct Entry {
    @usableFromInline var gate: KeyGate
    @usableFromInline var payload: Payload

    @inlinable init(payload: Payload) {
      gate = KeyGate()
      self.payload = payload
    }

    /// Accepts a signal without an instant if it joins the pending delivery; otherwise returns false.
    @inlinable mutating func join(by policy: CoalescingPolicy, storing store: (inout Payload) -> Bool) -> Bool
    {
      gate.coversSignals(by: policy) && store(&payload)
    }

    /// Accepts a signal; returns its effect, and the gate before and after the signal.
    @inlinable mutating func signal(
      at now: EventInstant?, by policy: CoalescingPolicy, if isAdmitted: (borrowing Payload) -> Bool,
      storing store: (inout Payload, _ isAccepted: Bool) -> Bool
    ) -> (KeyedSignal, KeyGate, KeyGate) {
      let before = gate
      guard isAdmitted(payload) else { return (.refused, before, before) }
      let signal = gate.signal(at: now, by: policy)
      if signal != .needsInstant && store(&payload, signal == .accepted) { gate.fill(by: policy) }
      return (signal, before, gate)
    }
  }

  /// The deliveries in progress.
  @frozen @usableFromInline enum Stage {
    case idle
    /// The stage delivers the next keys in the queue `due`. The number says how many are left.
    case due(left: Int, CoalescingDelivery.Cause)
    /// The stage delivers the keys whose deadlines are not later than an instant.
    case deadlines(until: EventInstant)

    @inlinable var isIdle: Bool { if case .idle = self { true } else { false } }

    @usableFromInline var cause: CoalescingDelivery.Cause {
      if case .due(_, let cause) = self { cause } else { .deadline }
    }

    @inlinable var isFlush: Bool { if case .due(_, .flush) = self { true } else { false } }
  }

  /// A key that was taken or cancelled, its payload if a delivery starts or is dropped, and the elements that
  /// the delivery leaves.
  @usableFromInline package typealias Taken<Batch> = (key: Key, batch: Batch?, rest: CoalescingGate.Rest)

  /// A function that takes the payload of the delivery of a key.
  @usableFromInline package typealias Take<Batch> = (Key, inout Payload) -> Batch
  /// A function that returns the elements that are left in a payload.
  @usableFromInline package typealias Leave = (borrowing Payload) -> CoalescingGate.Rest

  @usableFromInline var policy: CoalescingPolicy
  /// The payload of a new key.
  @usableFromInline var fresh: Payload
  @usableFromInline let rest: Leave
  @usableFromInline var entries: [Key: Entry] = [:]
  /// The keys for which a turn is requested, each once.
  @usableFromInline var due: Fifo<Key> = Fifo()
  /// The keys whose windows are open, each once, at the ends of their windows or at earlier instants.
  @usableFromInline var deadlines: TimeQueue<Key> = TimeQueue()
  /// The keys whose runs are due, and the keys that wait for a retry, if deliveries are runs.
  @usableFromInline var line: KeyedLine<Key> = KeyedLine()
  /// The number of keys whose latest runs have failed and are to be repeated.
  @usableFromInline package var failingCount: Int = 0
  /// The reason for the next change of a gate, if deliveries are runs.
  @usableFromInline var cause: CoalescingDelivery.Cause = .turn
  /// The forgotten keys, if deliveries are runs. They are released after the lock is released. If deliveries
  /// are not runs, a forgotten key is returned to the caller.
  @usableFromInline var forgotten: [Key] = []
  /// A function that receives a forgotten key; nil if deliveries are not runs.
  @usableFromInline let forget: ((Key) -> Void)?
  /// The number of pending keys.
  @usableFromInline package internal(set) var pendingCount: Int = 0
  /// Whether a requested turn has not come yet.
  @usableFromInline var isTurnAsked: Bool = false
  /// The deadline of the alarm that is armed, or is about to be armed; the distant future if there is none.
  @usableFromInline var alarm: EventInstant = .distantFuture
  /// Whether the owner has to perform effects.
  @usableFromInline package internal(set) var needsEffects: Bool = false
  @usableFromInline var feedback: FeedbackWatch = FeedbackWatch()
  @usableFromInline var stage: Stage = .idle
  /// The key of the flush in progress, and the number of its batches that come before the next key (C12).
  @usableFromInline var flushed: (key: Key, batches: Int)?
  /// The ticket of the latest alarm.
  @usableFromInline var ticket: UInt16 = 0
  /// The timer of the latest alarm.
  @usableFromInline var timer: (any ScheduledWork)?
  /// Whether the object is to be flagged, because stages were caused only by earlier stages (C11).
  @usableFromInline var isFed: Bool = false
  /// The pending signals; nil if no monitor sees the object.
  @usableFromInline var signals: KeyedSignals<Key>?

  init(
    policy: CoalescingPolicy, fresh: Payload, rest: @escaping Leave, signals: KeyedSignals<Key>?,
    forget: ((Key) -> Void)?
  ) {
    self.policy = policy
    self.fresh = fresh
    self.forget = forget
    self.rest = rest
    self.signals = signals
  }

  /// Whether deliveries are runs.
  @inlinable var makesRuns: Bool { forget != nil }

  /// Accepts a signal.
  ///
  /// - Parameters:
  ///   - now: The instant of the signal; nil if the clock was not read.
  ///   - isAdmitted: A function. If it returns false, the signal has no effect.
  ///   - store: A function that stores the payload, or drops it if the policy ignores the signal. It returns
  ///     whether a batch is full.
  @inlinable package mutating func signal(
    _ key: Key, at now: EventInstant?, if isAdmitted: (borrowing Payload) -> Bool,
    storing store: (inout Payload, _ isAccepted: Bool) -> Bool
  ) -> KeyedSignal {
    guard let index = entries.index(forKey: key) else {
      var entry = Entry(payload: fresh)
      let (signal, before, after) = entry.signal(at: now, by: policy, if: isAdmitted, storing: store)
      place(&entry.gate, key, was: before)
      if !after.isQuiet { entries[key] = entry }
      return signal
    }
    // NB: the entry is changed in place. A copy of it would share the storage of the payload, so the change
    // would copy the payload.
    let (signal, before, after) = entries.values[index].signal(
      at: now, by: policy, if: isAdmitted, storing: store)
    if before.flags.rawValue != after.flags.rawValue { settle(index, entries[index].key, after, was: before) }
    return signal
  }

  /// Changes the gate of a key, and takes the payload if a delivery starts.
  ///
  /// - Parameters:
  ///   - cancels: Whether the payload is taken because the delivery is dropped.
  ///   - body: A function that changes the gate, and returns whether the payload is taken.
  @inlinable mutating func change<Batch>(
    _ index: Dictionary<Key, Entry>.Index, cancels: Bool = false, taking take: Take<Batch>,
    _ body: (inout KeyGate, CoalescingPolicy) -> Bool
  ) -> Taken<Batch> {
    var taken: Taken<Batch> = (entries[index].key, nil, CoalescingGate.Rest())
    let before = entries[index].value.gate
    var gate = before
    if body(&gate, policy) {
      if !cancels && !stage.isIdle { feedback.noteStart() }
      taken.batch = take(taken.key, &entries.values[index].payload)
      taken.rest = rest(entries.values[index].payload)
      gate.finish(leaving: taken.rest, by: policy)
      if stage.isFlush { flushed = (taken.key, taken.rest.flushedBatches) }
    }
    settle(index, taken.key, gate, was: before)
    return taken
  }

  /// Stores the gate of a key after a change, and removes the entry if the gate is quiet.
  @inlinable mutating func settle(
    _ index: Dictionary<Key, Entry>.Index, _ key: Key, _ gate: KeyGate, was before: KeyGate
  ) {
    var gate = gate
    place(&gate, key, was: before)
    if !gate.isQuiet {
      entries.values[index].gate = gate
      return
    }
    let forgotten = entries.remove(at: index).key
    if let forget {
      self.forgotten.append(forgotten)
      forget(forgotten)
    }
    if entries.count < entries.capacity / 8 && entries.capacity > 64 { shrink() }
  }

  /// Adds a key to the queues to which it belongs after a change of its gate, and removes it from the others.
  @inlinable mutating func place(_ gate: inout KeyGate, _ key: Key, was before: KeyGate) {
    if makesRuns { placeRun(&gate, key, was: before) }
    if gate.isPending != before.isPending {
      pendingCount += gate.isPending ? 1 : -1
      if gate.isPending { feedback.noteSignal(isInside: false) }
    }
    if gate.isQueued && !before.isQueued {
      due.append(key)
      needsEffects = needsEffects || !isTurnAsked
    }
    if gate.isOpen && gate.slot == nil {
      gate.slot = UInt32(deadlines.push(key, at: gate.deadline).slot)
      needsEffects = needsEffects || gate.deadline < alarm
    } else if !gate.isOpen, let slot = gate.slot {
      _ = deadlines.take(deadlines.ticket(ofSlot: Int(slot)))
      gate.slot = nil
      needsEffects = needsEffects || deadlines.count == 0
    }
  }

  /// Releases the memory of many removed keys. Called when few or no keys are left.
  ///
  /// - Complexity: O(n log n) for n keys that are left. At least as many keys were removed, so this is O(log
  ///   n) for each removed key.
  @inlinable mutating func shrink() {
    let left = deadlines.sorted
    let all = entries
    entries = Dictionary(minimumCapacity: all.count)
    for (key, entry) in all { entries[key] = entry }
    deadlines = TimeQueue()
    for (deadline, key) in left {
      let ticket = deadlines.push(key, at: deadline)
      if let index = entries.index(forKey: key) { entries.values[index].gate.slot = UInt32(ticket.slot) }
    }
    if makesRuns { line.shrink() }
    signals?.shrink()
  }
}

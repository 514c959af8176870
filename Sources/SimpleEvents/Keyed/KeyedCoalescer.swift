/// The thread-safe engine of an object with a window for each key: gates, one timer and one source of turns.
///
/// The owner of the engine is a public object, which closes the engine in its `deinit`. The engine is a
/// separate object, because it may be delivering at that time: the block in progress may have released the
/// last reference to the owner, and is then the last block that is called (E6).
///
/// A key is hashed and compared under the lock. All other code of the user is called under no lock, and the
/// user's objects are released under no lock.
@usableFromInline package final class KeyedCoalescer<Key: Hashable & Sendable, Payload> {
  @usableFromInline package typealias Gates = KeyedGates<Key, Payload>
  @usableFromInline package typealias Discard = (Key, Payload) -> Void
  /// A function that calls ``serve(_:taking:deliver:)``. The owner's initialiser creates the function, so
  /// that it is compiled for the types of the owner.
  @usableFromInline package typealias Serve = (KeyedCoalescer, KeyedStart<Key>) -> Void

  package let subject: DiagnosticSubject
  let origin: BlockIsolation
  private let serve: Serve
  /// The function that receives payloads that are not going to be delivered; nil if there is none.
  private let discard: Discard?
  /// The function that is called if the scheduler has lost a turn or an alarm (S7). The argument is the
  /// ticket of the alarm; nil for a turn. A loop has such a function. Without one, all pending deliveries are
  /// dropped.
  private let lose: ((_ alarm: UInt16?) -> Void)?
  /// The function that is called after the scheduler was lost and all pending deliveries were dropped; nil if
  /// there is none.
  private let onLoss: (() -> Void)?
  @usableFromInline package let turns: TurnSource
  /// The counts for a monitor; nil if no monitor sees the object.
  package let source: CoalescingSource?
  @usableFromInline let isWatched: Bool
  /// Whether a monitor counts the deliveries of this object. For a loop, a monitor counts the runs instead.
  @usableFromInline let countsDeliveries: Bool
  /// Whether every signal needs its instant.
  @usableFromInline package let readsClock: Bool
  /// Whether windows have no alarms, so that later signals forget keys whose windows have passed (C4).
  @usableFromInline package let hasNoAlarms: Bool
  /// Guards the gates.
  @usableFromInline let state: Guarded<Gates>

  @usableFromInline package init(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, fresh: Payload, _ subject: DiagnosticSubject,
    isolation: (any Actor)?, serve: @escaping Serve,
    rest: @escaping Gates.Leave = { _ in CoalescingGate.Rest() }, discard: Discard? = nil,
    lose: ((_ alarm: UInt16?) -> Void)? = nil, onLoss: (() -> Void)? = nil, forget: ((Key) -> Void)? = nil
  ) {
    self.subject = subject
    self.serve = serve
    self.discard = discard
    self.lose = lose
    self.onLoss = onLoss
    origin = BlockIsolation(isolation, at: subject.site)
    turns = scheduler.turnSource
    source = CoalescingSystem.makeSource(subject, policy, on: scheduler)
    isWatched = source != nil
    countsDeliveries = isWatched && !policy.traits.contains(.makesRuns)
    readsClock = isWatched || !CoalescingGate(policy: policy).joinsWithoutClock
    hasNoAlarms = policy.edges == .leading
    state = Guarded(
      Gates(
        policy: policy, fresh: fresh, rest: rest, signals: source.map(KeyedSignals.init), forget: forget))
    if policy.edges.isEmpty { subject.misuse.flag(.noEdges(subject)) }
    guard let source else { return }
    let handle = WeakHandle(self)
    source.readKeys { read in handle.object?.addKeys(to: read) ?? read() }
  }

  /// Adds the counts of keys to the statistics of a monitor, in one step.
  private func addKeys(to read: () -> CoalescingStatistics) -> CoalescingStatistics {
    var (statistics, oldest) = state.withLock { $0.addKeys(to: read()) }
    statistics.oldestKey = oldest.map { "\($0)" }
    return statistics
  }

  /// The number of pending keys.
  @usableFromInline package var pendingCount: Int { state.withLock { $0.pendingCount } }

  /// Whether no key is pending and no delivery is in progress.
  package var isIdle: Bool { state.withLock { $0.pendingCount == 0 && $0.stage.isIdle } }

  /// The number of keys that have an entry.
  package var entryCount: Int { state.withLock { $0.entries.count } }

  /// The number of keys for which memory is allocated.
  package var capacity: Int {
    state.withLock { gates in
      let others = max(gates.line.capacity, gates.signals?.capacity ?? 0)
      return max(gates.entries.capacity, gates.deadlines.slots.count, others)
    }
  }

  /// Whether a delivery of a key comes without a further signal.
  @inlinable package func isPending(_ key: Key) -> Bool {
    state.withLock { $0.entries[key]?.gate.isPending ?? false }
  }

  /// Accepts a signal, from any thread.
  ///
  /// - Parameters:
  ///   - isAdmitted: A function that is called under the lock. If it returns false, the signal has no effect.
  ///   - store: A function that stores the payload, or drops it if the policy ignores the signal. It is
  ///     called under the lock, and returns whether a batch is full.
  /// - Returns: Whether the signal is admitted.
  @inlinable @discardableResult func signal(
    _ key: Key, if isAdmitted: (borrowing Payload) -> Bool = { _ in true },
    storing store: (inout Payload, _ isAccepted: Bool) -> Bool
  ) -> Bool {
    var now = readsClock ? turns.now : nil
    // The forgotten keys are released when this method returns, after the lock is released.
    var passed: Gates.Passed?
    defer { withExtendedLifetime(passed) {} }
    while true {
      let (signal, needsEffects) = state.withLock { gates in
        if hasNoAlarms, let now { passed = gates.forgetPassed(at: now) }
        let signal = gates.signal(key, at: now, if: isAdmitted, storing: store)
        if isWatched, signal == .accepted, let now { gates.note(key, at: now) }
        return (signal, gates.needsEffects)
      }
      if needsEffects { perform() }
      if signal == .accepted && !needsEffects { noteIfEndless(self) }
      guard signal == .needsInstant else { return signal != .refused }
      now = turns.now
    }
  }

  /// Accepts a signal if the signal joins the pending delivery of its key; returns false otherwise. Most
  /// signals of a storm join.
  ///
  /// - Parameter store: A function that stores the payload and returns true, or returns false if the signal
  ///   does not join. It is called under the lock.
  @inlinable @inline(__always) func join(_ key: Key, storing store: (inout Payload) -> Bool) -> Bool {
    guard !readsClock else { return false }
    return state.withLock { gates in
      guard let index = gates.entries.index(forKey: key) else { return false }
      let policy = gates.policy
      return gates.entries.values[index].join(by: policy, storing: store)
    }
  }

  /// Whether a signal without a payload joins the pending delivery of its key, and changes nothing.
  // NB: an access to the entry in place, as in `join(_:storing:)`, would retain the dictionary.
  @inlinable @inline(__always) func coversSignal(of key: Key) -> Bool where Payload == Void {
    guard !readsClock else { return false }
    return state.withLock { gates in gates.entries[key]?.gate.coversSignals(by: gates.policy) ?? false }
  }

  /// Reads or changes the payload of a key, under the lock. For a new key, the changes are not kept.
  @inlinable func withPayload<Result>(_ key: Key, _ body: (inout Payload) -> Result) -> Result {
    state.withLock { gates in
      if let index = gates.entries.index(forKey: key) { return body(&gates.entries.values[index].payload) }
      var payload = gates.fresh
      return body(&payload)
    }
  }

  /// Changes the payloads of all keys, under the lock.
  @inlinable func withPayloads(_ body: (inout Payload) -> Void) {
    state.withLock { gates in
      for index in gates.entries.indices { body(&gates.entries.values[index].payload) }
    }
  }

  /// Drops the pending delivery of a key, and closes the window of the key (C7).
  @inlinable func cancel(_ key: Key) {
    let (taken, unsent) = state.withLock { gates in
      let taken = gates.cancel(key)
      return (taken, taken.flatMap { gates.signals?.take($0.key) } ?? 0)
    }
    if let taken { drop(taken, unsent) }
  }

  @usableFromInline func drop(_ taken: Gates.Taken<Payload>, _ unsent: Int) {
    if unsent > 0 { source?.discard(unsent) }
    if let payload = taken.batch { discard?(taken.key, payload) }
    perform()
  }

  /// Drops the pending deliveries of all keys, and closes the windows of the keys (C7).
  @usableFromInline func cancelAll() { drop { $0.cancelAll() } }

  /// Makes a change, and drops the gates that the change returns; returns false if the change returns nil.
  @discardableResult private func drop(_ change: (inout Gates) -> Gates?) -> Bool {
    let (gates, unsent) = state.withLock { gates in
      let dropped = change(&gates)
      return (dropped, dropped == nil ? 0 : gates.signals?.takeAll() ?? 0)
    }
    if unsent > 0 { source?.discard(unsent) }
    if let gates { discard(gates) }
    return gates != nil
  }

  /// Drops all pending deliveries, and ignores all later signals (E6).
  @usableFromInline func close() {
    let gates = state.withLock { gates in
      gates.policy.edges = []
      return gates.cancelAll()
    }
    source?.end()
    discard(gates)
  }

  private func discard(_ gates: Gates) {
    if let discard { gates.entries.forEach { discard($0, $1.payload) } }
    perform()
  }

  /// Delivers one pending key or all pending keys now, and closes the windows of these keys (C7).
  @usableFromInline func flush(_ start: KeyedStart<Key>) {
    subject.flagFlush(off: turns)
    serve(self, start)
  }

  /// Makes the deliveries of a stage.
  ///
  /// - Parameters:
  ///   - take: A function that takes the payload of a delivery. It is called under the lock.
  ///   - deliver: A function that delivers a key, and returns the number of elements that a limit has
  ///     dropped.
  @inlinable package func serve<Batch>(
    _ start: KeyedStart<Key>, taking take: Gates.Take<Batch>, deliver: (Key, Batch) -> Int
  ) {
    var taken = self.take { $0.begin(start, taking: take) }
    while let key = taken?.key {
      // The batch is released before the next key is taken: a release may run code that cancels that key, or
      // that releases the owner (E6).
      if let batch = taken.take()?.batch {
        flagIfOffActor()
        let dropped = deliver(key, batch)
        if countsDeliveries { noteEnd(of: key, dropped: dropped) }
      }
      taken = self.take { $0.next(taking: take) }
      // The key of a flush leaves the gates under the lock, and is released here.
      withExtendedLifetime(key) {}
    }
    perform()
  }

  /// Takes a key, and records the start of its delivery for a monitor.
  @inlinable func take<Batch>(_ body: (inout Gates) -> Gates.Taken<Batch>?) -> Gates.Taken<Batch>? {
    let now = countsDeliveries ? turns.now : nil
    return state.withLock { gates in
      let taken = body(&gates)
      if let now, let taken, taken.batch != nil {
        let cause = gates.stage.cause
        gates.signals?.begin(taken.key, cause, at: now, leaving: taken.rest.count)
      }
      return taken
    }
  }

  /// Reads or changes the gates. The caller performs the effects.
  @inlinable package func withLock<Result>(_ body: (inout Gates) -> Result) -> Result { state.withLock(body) }

  /// Performs the effects of all changes so far, under no lock.
  @inlinable package func perform() { perform(state.withLock { $0.takeEffects() }) }

  /// Performs effects that were taken, and releases keys, under no lock.
  @inlinable package func perform(_ effects: Gates.Effects) {
    if !effects.isEmpty { performAll(effects) }
  }

  @usableFromInline func performAll(_ effects: Gates.Effects) {
    effects.unused?.cancel()
    if effects.isFed { subject.misuse.flag(.feedback(subject)) }
    // The engine of a loop is not added to the log, because the loop adds itself.
    let isNoted = lose == nil && (effects.asksTurn || effects.alarm != nil)
    if isNoted { PendingLog.note(self, on: turns.scheduler) }
    if effects.asksTurn { turns.ask(for: self) }
    guard let alarm = effects.alarm else { return }
    let timer = turns.scheduler.arm(alarm.deadline, ticket: alarm.ticket, for: self)
    // The alarm may have been replaced, or may have fired, since it was requested.
    let isCurrent = state.withLock { gates in
      let isCurrent = gates.alarm < .distantFuture && gates.ticket == alarm.ticket
      if isCurrent { gates.timer = timer }
      return isCurrent
    }
    if !isCurrent { timer.cancel() }
  }
}

extension KeyedCoalescer: Wakeable {
  package func wake(_ cause: WakeCause) {
    switch cause {
    case .turn: serve(self, .turn)
    case .alarm(let ticket): serve(self, .alarm(ticket, turns.now))
    case .lostTurn: lose(nil)
    case .lostAlarm(let ticket): lose(ticket)
    }
  }

  private func lose(_ alarm: UInt16?) {
    if let lose { return lose(alarm) }
    if drop({ $0.lose(alarm: alarm) }) { onLoss?() }
  }
}

// SAFETY: the owner's code is called on the scheduler, one call at a time (K1), and the lock orders each call
// after the previous one. Payloads cross threads through the lock, which guards the gates. All other
// properties are immutable.
extension KeyedCoalescer: @unchecked Sendable {}

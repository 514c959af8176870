internal import Synchronization

/// Counts the notifications of an event, and wakes the iterators that wait for the next one.
///
/// Each iterator has a cursor, which remembers the number of notifications that the iterator has taken. A
/// notification only adds one to the count, so nothing is queued (N2). It takes the lock only if a cursor
/// waits.
///
/// The counter itself does not use the tasks of the Swift runtime. The wait of a cursor is a
/// ``CancellableWait``.
package final class NotificationCounter: Sendable {
  struct State {
    /// The registration with the event; nil when it is no longer needed.
    var token: (any SimpleEventToken)?
    /// The number of cursors that have not ended.
    var cursorCount: Int = 0
    /// The cursors that wait.
    var waits: WaitList<CursorWait> = WaitList()
  }

  /// The flag is set while a cursor may be waiting. A notification that finds the flag set takes the lock.
  private static let isWaiting: UInt64 = 1
  private static let hasEnded: UInt64 = 2
  private static let countUnit: UInt64 = 4

  /// The number of notifications, in the bits above two flags.
  ///
  /// A notification adds with releasing order, and cursors read with acquiring order. All changes are
  /// read-modify-writes, which continue each other's release sequence. A cursor that reads a count therefore
  /// sees the writes before each notification in that count. The flags need no memory order of their own,
  /// because they are set and cleared under the lock.
  /// - If a notification comes before a cursor sets `isWaiting`, the cursor sees the notification, and does
  ///   not wait.
  /// - If a notification comes after a cursor has set `isWaiting`, the notification finds the flag set, and
  ///   takes the lock to wake the cursor.
  private let countAndFlags: Atomic<UInt64> = Atomic(0)
  /// Guards the token, the cursors that wait, and the wait of each cursor. Tasks are resumed after the lock
  /// is released.
  private let state: Guarded<State> = Guarded(State())
  let subject: DiagnosticSubject
  /// The source of the event's turns, if that source can lose a turn (S7); otherwise nil.
  private let turns: TurnSource?
  /// The event, if it is an ``ObservationEvent`` (O1); otherwise nil. The reference is weak, because the
  /// token keeps the event alive.
  private let event: WeakHandle<ObservationEvent>?

  /// - Parameters:
  ///   - subject: The subject of diagnostics: the event.
  ///   - turns: The source of the event's turns, if that source can lose a turn (S7); otherwise nil.
  ///   - event: The event, if it is an ``ObservationEvent`` (O1); otherwise nil.
  package init(
    _ subject: DiagnosticSubject, losing turns: TurnSource? = nil, leaving event: ObservationEvent? = nil
  ) {
    self.subject = subject
    self.turns = turns
    self.event = event.map { WeakHandle($0) }
  }

  /// Keeps the registration with the event until the last cursor has ended.
  package func keep(_ token: (any SimpleEventToken)?) {
    let unneeded = state.withLock { state -> (any SimpleEventToken)? in
      guard state.cursorCount > 0 && countAndFlags.load(ordering: .relaxed) & Self.hasEnded == 0 else {
        return token
      }
      state.token = token
      checkInvariants(state)
      return nil
    }
    unneeded?.remove()
  }

  /// Records a notification.
  package func signal() {
    let old = countAndFlags.wrappingAdd(Self.countUnit, ordering: .releasing).oldValue
    if old & Self.isWaiting != 0 { wakeAll() }
  }

  @inline(never) private func wakeAll() {
    let resumptions = state.withLock { state in
      // A cursor may have taken the notification before the cursor began to wait. Such a cursor goes on
      // waiting, and needs the flag. The count is therefore read first, and the flag is cleared only if no
      // cursor waits any longer.
      let count = countAndFlags.bitwiseOr(Self.isWaiting, ordering: .relaxed).oldValue / Self.countUnit
      let resumptions = state.waits.end { $0.seen != count }
      if state.waits.isEmpty { countAndFlags.bitwiseAnd(~Self.isWaiting, ordering: .relaxed) }
      checkInvariants(state)
      return resumptions
    }
    for resumption in resumptions { resumption() }
  }

  /// Records that the event sends no more notifications.
  package func finish() {
    let (resumptions, token) = state.withLock { state in
      countAndFlags.bitwiseOr(Self.hasEnded, ordering: .relaxed)
      defer { checkInvariants(state) }
      return (state.waits.end { _ in true }, state.token.take())
    }
    token?.remove()
    for resumption in resumptions { resumption() }
  }

  /// Whether a cursor may be waiting.
  ///
  /// The load is relaxed, because an event reads the flag under the event's lock, and a cursor that has begun
  /// to wait then takes that lock (O1).
  var isAwaited: Bool { countAndFlags.load(ordering: .relaxed) & Self.isWaiting != 0 }

  /// Makes the event send the notification of a change that it has left to the iterators.
  fileprivate func sendLeft() { event?.object?.sendLeft() }

  /// The number of notifications so far.
  fileprivate var count: UInt64 { countAndFlags.load(ordering: .acquiring) / Self.countUnit }

  fileprivate func add() { state.withLock { $0.cursorCount += 1 } }

  /// Checks that the number of cursors, the token, the waits and the flags agree. Called under the lock.
  func checkInvariants(_ state: State) {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      let countAndFlags = countAndFlags.load(ordering: .relaxed)
      invariant(state.cursorCount >= 0, "N3: a cursor ends once")
      invariant(state.cursorCount > 0 || state.token == nil, "N3: the last cursor has ended the observation")
      invariant(
        state.waits.isEmpty || countAndFlags & Self.isWaiting != 0,
        "N2: a notification finds the cursors that wait")
      invariant(
        countAndFlags & Self.hasEnded == 0 || state.waits.isEmpty && state.token == nil,
        "N3: nothing outlives the event's end")
    #endif
  }

  /// Begins a wait that ends when there is a notification for a cursor, or when no further one will come.
  fileprivate func wait(_ cursor: NotificationCursor, _ resume: @escaping CancellableWait.Resume) {
    typealias Resumptions = (own: CancellableWait.Resumption?, other: CancellableWait.Resumption?)
    let (own, other) = state.withLock { state -> Resumptions in
      let other = cursor.wait.flatMap { state.waits.cancel($0) }
      let wait = CursorWait(seen: cursor.seenCount)
      cursor.wait = wait
      if cursor.isEnded { _ = state.waits.cancel(wait) }
      let countAndFlags = countAndFlags.bitwiseOr(Self.isWaiting, ordering: .acquiring).oldValue
      let isReached = wait.seen != countAndFlags / Self.countUnit || countAndFlags & Self.hasEnded != 0
      let own = state.waits.add(wait, resume, unless: isReached)
      checkInvariants(state)
      return (own, other)
    }
    if let own {
      own()
    } else {
      // A change may have been left to the iterators before the event could see that this cursor waits.
      event?.object?.takeBack()
      // A turn is requested here, because it reports the loss of the scheduler even if the event is not
      // triggered again.
      if let turns, turns.isUnknown { turns.ask(for: self) }
    }
    if let other {
      subject.misuse.flag(.sharedIterator(subject))
      other()
    }
  }

  /// Ends a cursor. The end of the last cursor also ends the registration with the event.
  fileprivate func end(_ cursor: NotificationCursor) {
    typealias Ended = (token: (any SimpleEventToken)?, resumption: CancellableWait.Resumption?)
    let (token, resumption) = state.withLock { state -> Ended in
      guard cursor.markEnded() else { return (nil, nil) }
      state.cursorCount -= 1
      defer { checkInvariants(state) }
      return (
        state.cursorCount == 0 ? state.token.take() : nil, cursor.wait.flatMap { state.waits.cancel($0) }
      )
    }
    token?.remove()
    resumption?()
  }
}

extension NotificationCounter: Wakeable {
  package func wake(_ cause: WakeCause) {
    if case .lostTurn = cause { finish() }
  }
}

/// One wait of a cursor. It does not retain the cursor, so that the list releases no cursor under the lock.
final class CursorWait: QueuedWait {
  /// The number of notifications that the cursor had taken when the wait began.
  let seen: UInt64

  init(seen: UInt64) { self.seen = seen }
}

/// The position of one iterator in the notifications of a source, and the latest wait of the iterator.
package final class NotificationCursor {
  private let source: NotificationCounter
  /// The number of notifications that the iterator has taken. All accesses are relaxed, because one task at a
  /// time uses the number. The acquiring read of the source's count makes the writes before a notification
  /// visible.
  private let seen: Atomic<UInt64> = Atomic(0)
  /// Whether the cursor has ended. It is set under the source's lock. All accesses are relaxed, because an
  /// iterator that reads an old value behaves as if the end had come a moment later.
  private let ended: Atomic<Bool> = Atomic(false)
  /// The latest wait. The source's lock guards it.
  fileprivate var wait: CursorWait?

  package init(of source: NotificationCounter) {
    self.source = source
    source.add()
  }

  deinit { source.end(self) }

  /// Creates a further cursor, which has taken no notification.
  package func makeCursor() -> NotificationCursor { NotificationCursor(of: source) }

  /// Takes all notifications since the last one that was taken; returns whether there was a notification.
  package func consume() -> Bool {
    let count = source.count
    guard count != seenCount && !isEnded else { return false }
    seen.store(count, ordering: .relaxed)
    return true
  }

  /// Takes all notifications, including the notification of a change that the event has left to the iterators
  /// (O1); returns whether there was a notification.
  package func take() -> Bool {
    // The notification of the change is sent first, so that it and an earlier notification become one (N2).
    source.sendLeft()
    return consume()
  }

  /// Begins a wait that ends when there is a notification to take, or when no further one will come for this
  /// cursor.
  package func wait(_ resume: @escaping CancellableWait.Resume) { source.wait(self, resume) }

  /// Ends the cursor, which then takes no further notification. After the end of the last cursor, the event
  /// is no longer observed.
  package func end() { source.end(self) }

  /// The subject of diagnostics: the event.
  var subject: DiagnosticSubject { source.subject }

  fileprivate var isEnded: Bool { ended.load(ordering: .relaxed) }

  fileprivate var seenCount: UInt64 { seen.load(ordering: .relaxed) }

  /// Marks the cursor as ended; returns false if it had already ended.
  fileprivate func markEnded() -> Bool { !ended.exchange(true, ordering: .relaxed) }
}

// SAFETY: the wait is used under the source's lock only. All other properties are immutable or
// atomic.
extension NotificationCursor: @unchecked Sendable {}

internal import Synchronization

/// The notifications of an event as iterators take them: their number, and the iterators that wait for it to grow.
///
/// Each iterator has a slot, which remembers the number that it has seen. A notification stores nothing, so nothing
/// queues (N2). It adds to one word, and takes the lock only if a slot waits.
///
/// It knows nothing of tasks: a slot that waits has a closure, which is called once, under no lock.
package final class NotificationSource: Sendable {
  private struct State {
    /// The registration with the event; nil once it is not needed.
    var token: (any SimpleEventToken)?
    /// The number of slots that have not ended.
    var slotCount: Int = 0
    var waiting: [Waiting] = []

    mutating func takeToken() -> (any SimpleEventToken)? {
      defer { token = nil }
      return token
    }

    /// Takes the slots that wait; not those that have seen a number of notifications, unless it is nil.
    mutating func takeWaiting(except count: UInt64?) -> [Waiting] {
      let left = waiting.filter { $0.slot.hasSeen(count) }
      let taken = left.isEmpty ? waiting : waiting.filter { !$0.slot.hasSeen(count) }
      for waiter in taken { waiter.slot.place = -1 }
      for (place, waiter) in left.enumerated() { waiter.slot.place = place }
      waiting = left
      return taken
    }

    /// Takes the closure of a slot, if the slot waits.
    mutating func takeWake(of slot: NotificationSlot) -> (@Sendable () -> Void)? {
      guard slot.place >= 0 else { return nil }
      waiting.swapAt(slot.place, waiting.count - 1)
      waiting[slot.place].slot.place = slot.place
      slot.place = -1
      return waiting.removeLast().wake
    }
  }

  private struct Waiting {
    let slot: NotificationSlot
    let wake: @Sendable () -> Void
  }

  /// Whether a slot waits, so that a notification takes the lock. May be true without cause.
  private static let isWaiting: UInt64 = 1
  private static let hasEnded: UInt64 = 2
  private static let one: UInt64 = 4

  /// The number of notifications, above two flags.
  ///
  /// A notification adds with releasing order, and slots read with acquiring order. All changes are read-modify-writes,
  /// which continue each other's release sequence, so a slot sees the writes before all notifications that it counts. The
  /// flags need no order of their own: the lock is held where they are set and cleared.
  /// - A notification that comes before a slot has set `isWaiting` is seen by the slot, which then does not wait.
  /// - A notification that comes after finds the flag, and takes the lock to wake the slot.
  private let word: Atomic<UInt64> = Atomic(0)
  /// Guards the token, the slots that wait, and the place of each slot. Closures are called after the lock.
  private let state: Guarded<State> = Guarded(State())
  fileprivate let subject: DiagnosticSubject
  /// The turns of the event; nil if none is ever lost.
  private let turns: TurnSource?

  /// - Parameters:
  ///   - subject: The event in diagnostics.
  ///   - turns: The turns of the event; nil if its scheduler loses none (S7).
  package init(_ subject: DiagnosticSubject, losing turns: TurnSource? = nil) {
    self.subject = subject
    self.turns = turns
  }

  /// Keeps the registration with the event until the last slot has ended.
  package func keep(_ token: (any SimpleEventToken)?) {
    let unneeded = state.withLock { state -> (any SimpleEventToken)? in
      guard state.slotCount > 0 && word.load(ordering: .relaxed) & Self.hasEnded == 0 else { return token }
      state.token = token
      return nil
    }
    unneeded?.remove()
  }

  /// Takes in a notification.
  package func signal() {
    let old = word.wrappingAdd(Self.one, ordering: .releasing).oldValue
    if old & Self.isWaiting != 0 { wakeAll() }
  }

  @inline(never) private func wakeAll() {
    let woken = state.withLock { state in
      // A slot may have taken the notification before it waited. For its sake the flag is not cleared before the count is read.
      let count = word.bitwiseOr(Self.isWaiting, ordering: .relaxed).oldValue / Self.one
      let woken = state.takeWaiting(except: count)
      if state.waiting.isEmpty { word.bitwiseAnd(~Self.isWaiting, ordering: .relaxed) }
      return woken
    }
    for waiter in woken { waiter.wake() }
  }

  /// Takes in that the event sends no more notifications.
  package func finish() {
    let (waiting, token) = state.withLock { state in
      word.bitwiseOr(Self.hasEnded, ordering: .relaxed)
      return (state.takeWaiting(except: nil), state.takeToken())
    }
    token?.remove()
    for waiter in waiting { waiter.wake() }
  }

  /// The number of notifications so far.
  fileprivate var count: UInt64 { word.load(ordering: .acquiring) / Self.one }

  fileprivate func add() { state.withLock { $0.slotCount += 1 } }

  /// Calls a closure when there is something for a slot to take, or when nothing will come for it any more.
  fileprivate func wait(_ slot: NotificationSlot, _ wake: @escaping @Sendable () -> Void) {
    let (canWait, other) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard !slot.isEnded else { return (false, nil) }
      let word = word.bitwiseOr(Self.isWaiting, ordering: .acquiring).oldValue
      guard slot.hasSeen(word / Self.one) && word & Self.hasEnded == 0 else { return (false, nil) }
      let other = state.takeWake(of: slot)
      slot.place = state.waiting.count
      state.waiting.append(Waiting(slot: slot, wake: wake))
      return (true, other)
    }
    if canWait {
      // An event that is not triggered again gives no other sign of the loss of its scheduler.
      if let turns, turns.isUnknown { turns.ask(for: self) }
    } else {
      wake()
    }
    if let other {
      subject.misuse.flag(.sharedIterator(subject))
      other()
    }
  }

  /// Ends a slot, and the registration with the event if it was the last one.
  fileprivate func end(_ slot: NotificationSlot) {
    let (token, wake) = state.withLock { state -> ((any SimpleEventToken)?, (@Sendable () -> Void)?) in
      guard slot.markEnded() else { return (nil, nil) }
      state.slotCount -= 1
      return (state.slotCount == 0 ? state.takeToken() : nil, state.takeWake(of: slot))
    }
    token?.remove()
    wake?()
  }
}

extension NotificationSource: Wakeable {
  package func wake(_ cause: WakeCause) {
    if case .lostTurn = cause { finish() }
  }
}

/// The place of one iterator at a source: the number of notifications that it has seen.
package final class NotificationSlot {
  private let source: NotificationSource
  /// The number of notifications that have been taken. Relaxed, because it is used by one task at a time, and what the
  /// notifications publish is ordered by the source's word.
  private let seen: Atomic<UInt64> = Atomic(0)
  /// Set under the source's lock. Relaxed, because an iterator that reads an old value behaves as if it was ended a moment
  /// later.
  private let ended: Atomic<Bool> = Atomic(false)
  /// The index among the slots that wait, negative if it does not wait. The source's lock guards it.
  fileprivate var place: Int = -1

  package init(of source: NotificationSource) {
    self.source = source
    source.add()
  }

  deinit { source.end(self) }

  /// A further slot, which has seen no notification.
  package func makeSlot() -> NotificationSlot { NotificationSlot(of: source) }

  /// Takes all notifications since the last one that was taken; returns whether there was any.
  package func take() -> Bool {
    let count = source.count
    guard !hasSeen(count) && !isEnded else { return false }
    seen.store(count, ordering: .relaxed)
    return true
  }

  /// Calls a closure once: when there is a notification to take, or when none will come for this slot any more.
  ///
  /// - Parameter wake: Called under no lock, perhaps before this method returns.
  package func wait(_ wake: @escaping @Sendable () -> Void) { source.wait(self, wake) }

  /// Ends the slot: it takes nothing any more. If it was the last one, the event is no longer observed.
  package func end() { source.end(self) }

  /// The event in diagnostics.
  var subject: DiagnosticSubject { source.subject }

  fileprivate var isEnded: Bool { ended.load(ordering: .relaxed) }

  fileprivate func hasSeen(_ count: UInt64?) -> Bool { seen.load(ordering: .relaxed) == count }

  /// Returns false if the slot has ended before.
  fileprivate func markEnded() -> Bool { !ended.exchange(true, ordering: .relaxed) }
}

// SAFETY: the place is used under the source's lock only. All other properties are immutable or atomic.
extension NotificationSlot: @unchecked Sendable {}

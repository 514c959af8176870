internal import Synchronization

/// The notifications of an event as iterators take them: their number, and the iterators that wait for it to grow.
///
/// Each iterator has a slot, which remembers the number that it has seen. A notification stores nothing, so nothing
/// queues (N2). It adds to one word, and takes the lock only if a slot waits.
///
/// It knows nothing of tasks: a slot that waits has a ``CancellableWait``.
package final class NotificationSource: Sendable {
  private struct State {
    /// The registration with the event; nil once it is not needed.
    var token: (any SimpleEventToken)?
    /// The number of slots that have not ended.
    var slotCount: Int = 0
    /// The slots that wait.
    var waiting: [NotificationSlot] = []

    mutating func takeToken() -> (any SimpleEventToken)? {
      defer { token = nil }
      return token
    }

    /// Ends the waits of all slots, except for those that have seen a number of notifications, unless it is nil.
    mutating func endWaits(except count: UInt64?) -> [CancellableWait.Resumption] {
      let left = waiting.filter { $0.hasSeen(count) }
      let ended = left.isEmpty ? waiting : waiting.filter { !$0.hasSeen(count) }
      for (place, slot) in left.enumerated() { slot.place = place }
      waiting = left
      return ended.compactMap { $0.wait.end(.reached) }
    }

    /// Ends the wait of a slot, if the slot waits.
    mutating func cancelWait(of slot: NotificationSlot) -> CancellableWait.Resumption? {
      guard let resumption = slot.wait.end(.cancelled) else { return nil }
      waiting.swapAt(slot.place, waiting.count - 1)
      waiting[slot.place].place = slot.place
      waiting.removeLast()
      return resumption
    }
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
  /// Guards the token, the slots that wait, and the wait of each slot. Tasks are resumed after the lock.
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
      check(state)
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
    let resumptions = state.withLock { state in
      // A slot may have taken the notification before it waited. For its sake the flag is not cleared before the count is read.
      let count = word.bitwiseOr(Self.isWaiting, ordering: .relaxed).oldValue / Self.one
      let resumptions = state.endWaits(except: count)
      if state.waiting.isEmpty { word.bitwiseAnd(~Self.isWaiting, ordering: .relaxed) }
      check(state)
      return resumptions
    }
    for resumption in resumptions { resumption() }
  }

  /// Takes in that the event sends no more notifications.
  package func finish() {
    let (resumptions, token) = state.withLock { state in
      word.bitwiseOr(Self.hasEnded, ordering: .relaxed)
      defer { check(state) }
      return (state.endWaits(except: nil), state.takeToken())
    }
    token?.remove()
    for resumption in resumptions { resumption() }
  }

  /// The number of notifications so far.
  fileprivate var count: UInt64 { word.load(ordering: .acquiring) / Self.one }

  fileprivate func add() { state.withLock { $0.slotCount += 1 } }

  /// Checks the slots that wait against the word and against their places. Called under the lock.
  ///
  /// - Complexity: O(n), and O(1) for more slots than the limit of such checks.
  private func check(_ state: State) {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      let word = word.load(ordering: .relaxed)
      invariant(state.slotCount >= 0, "N3: a slot ends once")
      invariant(state.slotCount > 0 || state.token == nil, "N3: the last slot has ended the observation")
      invariant(
        state.waiting.isEmpty || word & Self.isWaiting != 0, "N2: a notification finds the slots that wait")
      invariant(
        word & Self.hasEnded == 0 || state.waiting.isEmpty && state.token == nil,
        "N3: nothing outlives the event's end")
      guard state.waiting.count <= invariantSize else { return }
      invariant(
        state.waiting.indices.allSatisfy { state.waiting[$0].place == $0 && !state.waiting[$0].wait.isOver },
        "N2: a slot that waits is in its place")
    #endif
  }

  /// Begins a wait that ends when there is something for a slot to take, or when nothing will come for it any more.
  fileprivate func wait(_ slot: NotificationSlot, _ resume: @escaping CancellableWait.Resume) {
    typealias Resumptions = (own: CancellableWait.Resumption?, other: CancellableWait.Resumption?)
    let (own, other) = state.withLock { state -> Resumptions in
      let other = state.cancelWait(of: slot)
      slot.wait = slot.isEnded ? .over : .new
      if let own = slot.wait.begin(resume) { return (own, other) }
      let word = word.bitwiseOr(Self.isWaiting, ordering: .acquiring).oldValue
      guard slot.hasSeen(word / Self.one) && word & Self.hasEnded == 0 else {
        return (slot.wait.end(.reached), other)
      }
      slot.place = state.waiting.count
      state.waiting.append(slot)
      check(state)
      return (nil, other)
    }
    if let own {
      own()
    } else if let turns, turns.isUnknown {
      // An event that is not triggered again gives no other sign of the loss of its scheduler.
      turns.ask(for: self)
    }
    if let other {
      subject.misuse.flag(.sharedIterator(subject))
      other()
    }
  }

  /// Ends a slot, and the registration with the event if it was the last one.
  fileprivate func end(_ slot: NotificationSlot) {
    typealias Ended = (token: (any SimpleEventToken)?, resumption: CancellableWait.Resumption?)
    let (token, resumption) = state.withLock { state -> Ended in
      guard slot.markEnded() else { return (nil, nil) }
      state.slotCount -= 1
      defer { check(state) }
      return (state.slotCount == 0 ? state.takeToken() : nil, state.cancelWait(of: slot))
    }
    token?.remove()
    resumption?()
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
  /// The latest wait. The source's lock guards it.
  fileprivate var wait: CancellableWait = .new
  /// The index among the slots that wait, while it waits. The source's lock guards it.
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

  /// Begins a wait that ends when there is a notification to take, or when none will come for this slot any more.
  package func wait(_ resume: @escaping CancellableWait.Resume) { source.wait(self, resume) }

  /// Ends the slot: it takes nothing any more. If it was the last one, the event is no longer observed.
  package func end() { source.end(self) }

  /// The event in diagnostics.
  var subject: DiagnosticSubject { source.subject }

  fileprivate var isEnded: Bool { ended.load(ordering: .relaxed) }

  fileprivate func hasSeen(_ count: UInt64?) -> Bool { seen.load(ordering: .relaxed) == count }

  /// Returns false if the slot has ended before.
  fileprivate func markEnded() -> Bool { !ended.exchange(true, ordering: .relaxed) }
}

// SAFETY: the wait and the place are used under the source's lock only. All other properties are immutable or atomic.
extension NotificationSlot: @unchecked Sendable {}

// These methods serve a loop with a window for each key. The deliveries of a loop are runs (K4).
//
// The gate of each key works like the gate of a loop without keys. If a run is due, its key is in a line. A
// task takes the key from the line, begins the run and ends it.
// NB: the methods are inlinable, as in `TimeQueue`.
extension KeyedGates {
  /// The number of keys in line.
  @inlinable package var readyCount: Int { line.ready.count }

  /// The gate of a key; nil if the key is quiet.
  @inlinable package func gate(_ key: Key) -> CoalescingGate? { entries[key]?.gate.whole(by: policy) }

  /// Changes the gate of a key, and moves the key to the queues to which it then belongs.
  ///
  /// - Parameter cause: The reason for a run that the change makes due, for a monitor.
  @inlinable package mutating func changeRun(
    _ key: Key, for cause: CoalescingDelivery.Cause = .turn, _ body: (inout CoalescingGate) -> Void
  ) {
    guard let index = entries.index(forKey: key) else { return }
    self.cause = cause
    let _: Taken<Void> = change(index) { _, _ in
    } _: { gate, policy in
      gate.update(by: policy, body)
      return false
    }
  }

  /// Moves a key to its place in the line after a change of its gate.
  @inlinable mutating func placeRun(_ gate: inout KeyGate, _ key: Key, was before: KeyGate) {
    defer { cause = .turn }
    guard gate.flags.rawValue != before.flags.rawValue else { return }
    if signals != nil && gate.flags.contains(.starting) && !before.flags.contains(.starting) {
      let cause = cause
      signals?.causes[key] = cause
    }
    line.place(&gate, key, was: before)
    // A task may have to be created or resumed, and an alarm armed or cancelled.
    needsEffects = true
  }

  /// Makes a key wait for its retry until an instant.
  @inlinable package mutating func wait(_ key: Key, until instant: EventInstant) {
    line.wait(key, until: instant)
  }

  /// Takes the first key from the line, for a task.
  @inlinable package mutating func takeReady() -> Key? { line.takeReady() }

  /// Takes a key back from a task that has not called `begin()` for it. If a run of the key is still due, the
  /// key is first in line again.
  @inlinable package mutating func giveBack(_ key: Key) {
    if entries[key]?.gate.flags.isDueOrNext == true {
      line.join(key, at: KeyedLine<Key>.front)
      return
    }
    // No run is due, so this call of `begin()` only removes the flag `starting`.
    changeRun(key) { gate in _ = gate.begin() }
  }

  /// Ends the wait of the first key whose retry is due by an instant, if no window ends before that retry.
  @inlinable mutating func takeRetry(until instant: EventInstant) -> Key? {
    guard let first = line.retries.first(), first <= deadlines.first() ?? .distantFuture else { return nil }
    guard let key = line.takeRetry(until: retriesUntil(instant)) else { return nil }
    changeRun(key, for: .retry) { gate in _ = gate.endWait() }
    return key
  }

  /// The latest instant of a retry that is due at an alarm.
  ///
  /// - Parameter instant: The latest end of the windows that have passed. For windows without the trailing
  ///   edge, it is one nanosecond before the alarm, see `lastPassed(at:)`.
  @usableFromInline func retriesUntil(_ instant: EventInstant) -> EventInstant {
    instant.advanced(byNanoseconds: policy.edges == .leading ? 1 : 0)
  }

  /// Records the start of a run for a monitor.
  ///
  /// - Parameter id: The number of the run.
  package mutating func noteRun(_ key: Key, at now: EventInstant, run id: Int) {
    let cause = signals?.causes[key] ?? .turn
    signals?.begin(key, cause, at: now, run: id)
  }

  /// Takes the signals of a key, so that the caller can discard them; returns their number.
  package mutating func takeSignals(_ key: Key) -> Int { signals?.take(key) ?? 0 }

  /// Removes the pending signals of all keys, but does not report them as discarded. The report of the loop's
  /// end contains their number.
  package mutating func leaveSignals() { signals = nil }

  /// Makes the gates ignore all later signals.
  package mutating func close() { policy.edges = [] }
}

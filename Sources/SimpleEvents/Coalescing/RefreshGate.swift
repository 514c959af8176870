/// The state machine behind a refresh loop, which decides when runs start, follow one another and are cancelled.
///
/// It has no lock, no task and no closure. Its methods take an occurrence, and return the step that the caller performs.
///
/// A run passes through these states: a delivery of the policy makes it *due*, and the caller makes a task for it; the task
/// *begins* it; then it *ends*. Deliveries before its beginning are part of it. A delivery during the run is judged by
/// ``RefreshLoop/WhenBusy``.
package struct RefreshGate {
  /// The action that the caller performs.
  package enum Step: Equatable {
    /// Make a task, which calls `begin()`, and at its end `end(isDeliveryPending:)`.
    case start
    /// Cancel the task of the run in progress.
    case cancel
  }

  private enum Phase {
    case idle
    case due
    case running
  }

  private let whenBusy: RefreshLoop.WhenBusy
  private var phase: Phase = .idle
  /// Whether a run follows the one in progress.
  private var isNextDue: Bool = false
  /// Whether the task of the run in progress is to be cancelled.
  package private(set) var isCancelled: Bool = false
  package private(set) var isStopped: Bool = false

  package init(whenBusy: RefreshLoop.WhenBusy) { self.whenBusy = whenBusy }

  /// Whether a run has begun and not ended.
  package var isRunning: Bool { phase == .running }

  /// Whether a run is due or in progress.
  package var isActive: Bool { phase != .idle }

  /// Whether nothing runs, and nothing will without a further request.
  package func isSettled(isDeliveryPending: Bool) -> Bool { !isActive && (isStopped || !isDeliveryPending) }

  /// Records that the policy delivers.
  package mutating func deliver() -> Step? {
    guard !isStopped else { return nil }
    switch (phase, whenBusy) {
    case (.idle, _):
      phase = .due
      return .start
    case (.due, _), (.running, .ignore):
      return nil
    case (.running, .rerun):
      isNextDue = true
      return nil
    case (.running, .restart):
      isNextDue = true
      defer { isCancelled = true }
      return isCancelled ? nil : .cancel
    }
  }

  /// Records that the task of a run has begun; returns whether it runs the body.
  package mutating func begin() -> Bool {
    guard !isStopped else { return false }
    phase = .running
    return true
  }

  /// Records that the task of a run ends.
  ///
  /// - Parameter isDeliveryPending: Whether the policy delivers without a further request. That delivery includes the next
  ///   run of `.rerun` (L3).
  package mutating func end(isDeliveryPending: Bool) -> Step? {
    let isNextDue = isNextDue && !isStopped && !(whenBusy == .rerun && isDeliveryPending)
    self.isNextDue = false
    isCancelled = false
    phase = isNextDue ? .due : .idle
    return isNextDue ? .start : nil
  }

  /// Records that no run may start any more.
  package mutating func stop() { isStopped = true }
}

internal import Dispatch

/// The source of an object's turns and alarms.
///
/// This class uses a scheduler. The subclass ``QueueTurns`` uses the turns that all objects on a dispatch
/// queue share.
///
/// This type is a class because every event stores a source: a reference takes one word, and an existential
/// takes two.
@usableFromInline package class TurnSource {
  package final let scheduler: any EventScheduler

  init(_ scheduler: any EventScheduler) { self.scheduler = scheduler }

  /// The current instant.
  @usableFromInline package var now: EventInstant { scheduler.now }

  /// Whether the caller is known to run on the scheduler.
  package var isCurrent: Bool { scheduler.isCurrent }

  /// Whether the caller is neither known to be on the scheduler nor known to be elsewhere, as after the
  /// deallocation of an actor (S6).
  final var isUnknown: Bool { !isCurrent && !scheduler.isKnownElsewhere }

  /// Whether the scheduler can release a turn without running it (S7); false for a dispatch queue.
  var canLoseTurns: Bool { true }

  /// Counts a signal that joins the pending signals of a watched object; returns false if the signal cannot
  /// join, and for an object that is not watched.
  func joinCounted() -> Bool { false }

  /// Wakes an owner on the next turn, if it is still alive by then.
  package final func ask(for owner: some Wakeable) { ask(for: WakeTarget(owner)) }

  /// Wakes an object on the next turn, if it is still alive by then.
  func ask(for object: WakeTarget) {
    let wake = ScheduledWake(object, .turn)
    scheduler.schedule { wake.run() }
  }
}

// SAFETY: all stored properties are constants, and the subclass `QueueTurns` guards its state with a lock.
extension TurnSource: @unchecked Sendable {}

extension EventScheduler {
  /// The source of the turns of an object on this scheduler. All objects on one dispatch queue share the
  /// turns of the queue.
  package var turnSource: TurnSource { (self as? DispatchQueue)?.turns ?? TurnSource(self) }

  /// The name of the scheduler in diagnostics: the label of a queue, the description of a scheduler that has
  /// one, or the name of the type.
  var name: String {
    if let queue = self as? DispatchQueue { return queue.label }
    return (self as? any CustomStringConvertible)?.description ?? "\(type(of: self))"
  }

  /// Wakes an object at a deadline, if it is still alive by then.
  package func arm(
    _ deadline: EventInstant, ticket: UInt16 = 0, tolerance: Duration = .zero, for owner: some Wakeable
  ) -> any ScheduledWork {
    let wake = ScheduledWake(WakeTarget(owner), .alarm(ticket))
    return schedule(at: deadline, tolerance: tolerance) { wake.run() }
  }
}

/// The source of an object's turns and alarms: a scheduler, or in a subclass the shared turns of a queue.
///
/// It is a class, because every event has a reference to one, and an existential takes two words.
package class TurnSource {
  final let scheduler: any EventScheduler

  init(_ scheduler: any EventScheduler) { self.scheduler = scheduler }

  /// The current instant.
  var now: EventInstant { scheduler.now }

  /// Whether the caller runs on the scheduler.
  package var isCurrent: Bool { scheduler.isCurrent }

  /// Wakes an owner on the next turn, if it is still alive by then.
  package final func ask(for owner: some Wakeable) { ask(for: WakeHandle(owner)) }

  /// Wakes an object on the next turn, if it is still alive by then.
  func ask(for object: WakeHandle) { scheduler.schedule { object.wake(.turn) } }

  /// Wakes an object at a deadline, if it is still alive by then.
  final func arm(_ deadline: EventInstant, ticket: UInt16, for object: WakeHandle) -> any ScheduledWork {
    scheduler.schedule(at: deadline, tolerance: .zero) { object.wake(.alarm(ticket)) }
  }
}

// SAFETY: it never changes, and a lane's state is behind a lock.
extension TurnSource: @unchecked Sendable {}

internal import Dispatch

/// The source of an object's turns and alarms: a scheduler, or the lane of a dispatch queue, which is a subclass.
///
/// It is a class, because every event has a reference to one, and an existential takes two words.
class TurnSource {
  final let scheduler: any EventScheduler

  init(_ scheduler: any EventScheduler) { self.scheduler = scheduler }

  /// The source for a scheduler. All objects on one dispatch queue share the lane of the queue.
  static func of(_ scheduler: any EventScheduler) -> TurnSource {
    (scheduler as? DispatchQueue)?.lane ?? TurnSource(scheduler)
  }

  /// The current instant.
  var now: EventInstant { scheduler.now }

  /// Wakes an object on the next turn, if it is still alive by then.
  func ask(for object: WakeHandle) { scheduler.schedule { object.wake(.turn) } }

  /// Wakes an object at a deadline, if it is still alive by then.
  final func arm(_ deadline: EventInstant, ticket: UInt16, for object: WakeHandle) -> any ScheduledWork {
    scheduler.schedule(at: deadline, tolerance: .zero) { object.wake(.alarm(ticket)) }
  }
}

// SAFETY: it never changes, and a lane's state is behind a lock.
extension TurnSource: @unchecked Sendable {}

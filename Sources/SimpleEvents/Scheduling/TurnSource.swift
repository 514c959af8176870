internal import Dispatch

/// The source of an object's turns: the lane of a dispatch queue, which is shared, or any other scheduler.
///
/// It takes one word, because every event has one.
enum TurnSource: Sendable {
  case lane(QueueLane)
  case scheduler(AnyScheduler)

  /// A scheduler of any type and size.
  final class AnyScheduler: Sendable {
    let base: any EventScheduler

    init(_ base: any EventScheduler) {
      self.base = base
    }
  }

  init(_ scheduler: any EventScheduler) {
    if let queue = scheduler as? DispatchQueue {
      self = .lane(queue.lane)
    } else {
      self = .scheduler(AnyScheduler(scheduler))
    }
  }

  var scheduler: any EventScheduler {
    switch self {
    case .lane(let lane): lane.queue
    case .scheduler(let scheduler): scheduler.base
    }
  }

  /// The current instant.
  var now: EventInstant {
    switch self {
    case .lane(let lane): lane.queue.now
    case .scheduler(let scheduler): scheduler.base.now
    }
  }

  /// Wakes an object on the next turn, if it is still alive by then.
  func ask(for object: any Wakeable) {
    let handle = WakeHandle(object)
    switch self {
    case .lane(let lane): lane.ask(for: handle)
    case .scheduler(let scheduler): scheduler.base.schedule { handle.wake(.turn) }
    }
  }

  /// Wakes an object at a deadline, if it is still alive by then.
  func arm(_ deadline: EventInstant, ticket: UInt16, for object: any Wakeable) -> any ScheduledWork {
    let handle = WakeHandle(object)
    return scheduler.schedule(at: deadline, tolerance: .zero) { handle.wake(.alarm(ticket)) }
  }
}

internal import Dispatch

/// Where one callback's turns come from: the lane of a dispatch queue, shared, or any other scheduler.
///
/// One word, since there is one in every event.
enum TurnSource: Sendable {
  case lane(QueueLane)
  case scheduler(AnyScheduler)

  /// A scheduler of any type and size, in a box.
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

  /// Gives a callback one turn, if it is still there by then.
  func ask(for callback: CoalescingCallback) {
    switch self {
    case .lane(let lane): lane.ask(for: callback)
    case .scheduler(let scheduler): scheduler.base.schedule { [weak callback] in callback?.turn() }
    }
  }
}

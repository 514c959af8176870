internal import Dispatch

/// An actor as a scheduler: work runs on the actor, and the clock is the monotonic uptime clock.
///
/// ```swift
/// actor Index {
///   private lazy var didChange = LazySimpleEvent(on: .actor(self))
/// }
/// ```
///
/// Work runs first in first out, also if the executor of the actor reorders its jobs or prefers those of a higher priority: it
/// waits in a queue of the scheduler's, which one job at a time drains. Work that is scheduled during a job waits for the next one,
/// so that other jobs of the actor have their turns in between.
///
/// The actor is held weakly, so an object of the actor's that delivers on it is no cycle. Only a job that is queued keeps the
/// actor alive. After the deallocation of the actor, work is released without being run: new work at once, work with a deadline
/// at the deadline.
///
/// Contracts: S1, S2, S5, see <doc:Contracts>.
public final class ActorScheduler: EventScheduler {
  private let target: WeakActor
  private let timers: QueueTimers = QueueTimers()
  private let line: ActorLine = ActorLine()

  /// Creates a scheduler.
  ///
  /// - Parameter actor: The actor on which work runs, held weakly.
  public init(_ actor: any Actor) { target = WeakActor(actor) }

  /// The current reading of the monotonic uptime clock.
  public var now: EventInstant { .uptime }

  /// Whether the caller runs on the actor; true where the executor of the actor cannot say.
  ///
  /// It is true for every caller once the actor is deallocated.
  public var isCurrent: Bool { target.actor?.isCurrent ?? true }

  /// Runs work on the actor, after the work that was scheduled before.
  ///
  /// - Complexity: Amortised O(1).
  public func schedule(_ work: @escaping @Sendable () -> Void) { _ = offer(work) }

  /// Runs work on the actor at a deadline of the uptime clock.
  ///
  /// - Complexity: O(log n) in the number of pieces of work that wait for their deadlines.
  @discardableResult public func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    timers.schedule(at: deadline, tolerance: tolerance, on: .global(), for: self, work)
  }

  private func queueJob(on actor: any Actor) {
    actor.enqueue { [self] in
      if line.drain() { queueJob(on: actor) }
    }
  }
}

extension ActorScheduler: QueueTimers.Target {
  func offer(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard let actor = target.actor else { return false }
    if line.add(work) { queueJob(on: actor) }
    return true
  }
}

extension EventScheduler where Self == ActorScheduler {
  /// Returns an actor as a scheduler, which holds it weakly.
  ///
  /// Each call makes a scheduler with a queue of its own. Keep one where the order of work of several objects matters.
  ///
  /// - Parameter actor: The actor on which work runs.
  public static func actor(_ actor: any Actor) -> ActorScheduler { ActorScheduler(actor) }
}

/// A weak reference to an actor.
private struct WeakActor {
  private(set) weak var actor: (any Actor)?

  init(_ actor: any Actor) { self.actor = actor }
}

// SAFETY: a `weak` variable is mutable to the compiler. This one is set once, and the runtime loads it atomically.
extension WeakActor: @unchecked Sendable {}

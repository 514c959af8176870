internal import Dispatch

/// A scheduler that runs work on an actor, by the monotonic uptime clock or by the time of another scheduler.
///
/// ```swift
/// actor Index {
///   private lazy var didChange = LazySimpleEvent(on: .actor(self))
/// }
/// ```
///
/// Work runs first in, first out, even if the executor of the actor reorders its jobs or prefers jobs of a
/// higher priority. The scheduler has its own queue, and one job at a time drains the queue. Work that is
/// scheduled during a job is run by the next job, so that other jobs of the actor have their turns in
/// between. Work runs at the priority of the task that scheduled it, or at a higher priority if one job runs
/// it together with more urgent work. The priority may be lower if the executor runs a job of a lower
/// priority first, or if the scheduler has a clock.
///
/// The scheduler holds the actor weakly, so an actor can store an object that delivers on the actor without a
/// reference cycle. Only a queued job keeps the actor alive. After the deallocation of the actor, work is
/// released without being run: new work immediately, work with a deadline at the deadline. Each wait for
/// released work ends (S7).
///
/// With the clock of a `TestScheduler`, turns and deadlines take place in virtual time, and the work runs on
/// the actor:
///
/// ```swift
/// let collector = CoalescingCollector<String>(
///   on: .actor(IndexActor.shared, clock: scheduler), policy: .debounce(.milliseconds(100)),
///   keeping: .newest(1000)
/// ) { @IndexActor paths in reindex(paths) }
/// ```
///
/// Contracts: S1, S2, S5 to S7, see <doc:Contracts>.
public final class ActorScheduler: EventScheduler {
  private let target: WeakActor
  /// The scheduler that gives turns and deadlines; nil if the actor gives turns and the uptime clock gives
  /// deadlines.
  private let clock: (any EventScheduler)?
  /// Guards the serial queue that fires deadlines of the uptime clock. The queue is created for the first
  /// deadline.
  private let timerQueue: Guarded<DispatchQueue?> = Guarded(nil)
  private let line: ActorWorkQueue = ActorWorkQueue()

  /// Creates a scheduler.
  ///
  /// - Parameter actor: The actor on which work runs, held weakly.
  public init(_ actor: any Actor) {
    target = WeakActor(actor)
    clock = nil
  }

  /// Creates a scheduler whose turns and deadlines are those of another scheduler.
  ///
  /// - Parameters:
  ///   - actor: The actor on which work runs, held weakly.
  ///   - clock: The scheduler whose turns and deadlines are used. It is kept alive. It must be serial:
  ///     otherwise the order of work is not kept.
  public init(_ actor: any Actor, clock: some EventScheduler) {
    target = WeakActor(actor)
    self.clock = clock
  }

  /// The current instant of the clock.
  public var now: EventInstant { clock?.now ?? .uptime }

  /// Whether the caller is known to run on the actor.
  ///
  /// False if the executor of the actor does not know, and after the actor is deallocated (S6).
  public var isCurrent: Bool { target.actor?.isCurrent == true }

  /// Whether the caller is known not to run on the actor.
  ///
  /// False if the executor of the actor does not know, and after the actor is deallocated (S6).
  public var isKnownElsewhere: Bool { target.actor?.isCurrent == false }

  /// The executor of the clock. The runs of a loop use it, so they take virtual time on a test scheduler.
  public var taskExecutor: (any TaskExecutor)? { clock?.taskExecutor }

  /// Runs work on the actor, after the work that was scheduled earlier.
  ///
  /// - Complexity: Amortised O(1), plus the cost of the clock.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    let priority = Task.currentPriority
    guard let clock else {
      _ = add(work, at: priority)
      return
    }
    if target.actor != nil { clock.schedule { [self] in _ = add(work, at: priority) } }
  }

  /// Runs work on the actor at a deadline of the clock.
  ///
  /// The tolerance is passed on to the clock.
  ///
  /// - Complexity: That of the clock. For the uptime clock it is O(log n), where n is the number of pending
  ///   pieces of work.
  @discardableResult public func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let priority = Task.currentPriority
    guard target.actor != nil else { return ActorDeadline(nil, CancellableWork(nil)) }
    let work = CancellableWork(work)
    let entry = (clock ?? uptimeClock).schedule(at: deadline, tolerance: tolerance) { [self] in
      if !add({ work.run() }, at: priority) { work.cancel() }
    }
    return ActorDeadline(entry, work)
  }

  private var uptimeClock: any EventScheduler {
    timerQueue.withLock { queue in
      let made = queue ?? DispatchQueue(label: "SimpleEvents.ActorScheduler")
      queue = made
      return made
    }
  }

  /// Adds work that is due, and queues a job of the actor if one is needed; returns false if the actor is
  /// deallocated.
  private func add(_ work: @escaping @Sendable () -> Void, at priority: TaskPriority) -> Bool {
    guard let actor = target.actor else { return false }
    guard let priority = line.add(work, at: priority) else { return true }
    // If a turn of the clock already runs on the actor, it counts as a turn of the actor. The main actor gets
    // no other turn while its thread advances a test scheduler.
    if clock != nil && actor.isCurrent == true {
      drain(on: actor, at: priority)
    } else {
      queueJob(on: actor, at: priority)
    }
    return true
  }

  private func queueJob(on actor: any Actor, at priority: TaskPriority) {
    actor.enqueue(at: priority) { [self] in drain(on: actor, at: priority) }
  }

  private func drain(on actor: any Actor, at priority: TaskPriority) {
    if let next = line.drain(at: priority) { queueJob(on: actor, at: next) }
  }
}

/// Work for an actor. It is pending until its deadline, and then until the actor runs it.
private final class ActorDeadline: ScheduledWork {
  /// The entry of the clock; nil if the actor was already deallocated.
  private let entry: (any ScheduledWork)?
  /// The work. The handle is weak, so that the work is deallocated if the clock releases it without running
  /// it (S7).
  private let work: WeakHandle<CancellableWork>

  init(_ entry: (any ScheduledWork)?, _ work: CancellableWork) {
    self.entry = entry
    self.work = WeakHandle(work)
  }

  func cancel() {
    entry?.cancel()
    work.object?.cancel()
  }
}

/// Work that can be cancelled until it begins (S2).
private final class CancellableWork: Sendable {
  /// Guards the work until it runs or is cancelled. The work runs, and is released, after the lock is
  /// released.
  private let work: Guarded<(@Sendable () -> Void)?>

  init(_ work: (@Sendable () -> Void)?) { self.work = Guarded(work) }

  func run() { work.exchange(nil)?() }

  func cancel() { _ = work.exchange(nil) }
}

extension EventScheduler where Self == ActorScheduler {
  /// Returns a scheduler that runs work on an actor and holds the actor weakly.
  ///
  /// Each call creates a scheduler with its own queue. To keep the order of the work of several objects, pass
  /// the same scheduler to all of them.
  ///
  /// - Parameter actor: The actor on which work runs.
  public static func actor(_ actor: any Actor) -> ActorScheduler { ActorScheduler(actor) }

  /// Returns a scheduler that runs work on an actor, with the turns and deadlines of another scheduler.
  ///
  /// - Parameters:
  ///   - actor: The actor on which work runs, held weakly.
  ///   - clock: The serial scheduler whose turns and deadlines are used, for example a `TestScheduler`. It is
  ///     kept alive.
  public static func actor(_ actor: any Actor, clock: some EventScheduler) -> ActorScheduler {
    ActorScheduler(actor, clock: clock)
  }
}

/// A weak reference to an actor.
private struct WeakActor {
  private(set) weak var actor: (any Actor)?

  init(_ actor: any Actor) { self.actor = actor }
}

// SAFETY: the compiler treats a `weak` variable as mutable. This variable is set once, and the runtime loads
// it atomically.
extension WeakActor: @unchecked Sendable {}

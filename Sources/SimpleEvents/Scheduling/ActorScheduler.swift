internal import Dispatch

/// An actor as a scheduler: work runs on the actor, by the monotonic uptime clock or by the time of another
/// scheduler.
///
/// ```swift
/// actor Index {
///   private lazy var didChange = LazySimpleEvent(on: .actor(self))
/// }
/// ```
///
/// Work runs first in first out, even if the executor of the actor reorders its jobs or prefers those of a
/// higher priority: the scheduler has a queue of its own, which one job at a time drains. Work that is
/// scheduled during a job is run by the next job, so that other jobs of the actor have their turns in
/// between. Work runs at the priority of the task that scheduled it, or at a higher one together with other
/// work.
///
/// The actor is held weakly, so an object of the actor that delivers on it causes no reference cycle. Only a
/// queued job keeps the actor alive. After the deallocation of the actor, work is released without being run:
/// new work immediately, work with a deadline at the deadline. Each wait for such work ends (S7).
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
  /// The source of turns and deadlines; nil for turns of the actor itself, and deadlines of the uptime clock.
  private let clock: (any EventScheduler)?
  /// Guards the serial queue for deadlines of the uptime clock, which is created for the first of them.
  private let timerQueue: Guarded<DispatchQueue?> = Guarded(nil)
  private let line: ActorWorkQueue = ActorWorkQueue()

  /// Creates a scheduler.
  ///
  /// - Parameter actor: The actor on which work runs, held weakly.
  public init(_ actor: any Actor) {
    target = WeakActor(actor)
    clock = nil
  }

  /// Creates a scheduler whose turns and deadlines are those of another one.
  ///
  /// - Parameters:
  ///   - actor: The actor on which work runs, held weakly.
  ///   - clock: The scheduler whose turns and deadlines are used. It is kept alive.
  public init(_ actor: any Actor, clock: some EventScheduler) {
    target = WeakActor(actor)
    self.clock = clock
  }

  /// The current instant of the clock.
  public var now: EventInstant { clock?.now ?? .uptime }

  /// Whether the caller is known to run on the actor.
  ///
  /// False where the executor of the actor cannot say, and once the actor is deallocated (S6).
  public var isCurrent: Bool { target.actor?.isCurrent == true }

  /// Whether the caller is known not to run on the actor.
  ///
  /// False where the executor of the actor cannot say, and once the actor is deallocated (S6).
  public var isKnownElsewhere: Bool { target.actor?.isCurrent == false }

  /// The executor of the clock, so that the runs of a loop take its time.
  public var taskExecutor: (any TaskExecutor)? { clock?.taskExecutor }

  /// Runs work on the actor, after the work that was scheduled before.
  ///
  /// - Complexity: Amortised O(1), and that of the clock.
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
  /// - Complexity: That of the clock: for the uptime clock O(log n) in the number of pieces of work that are
  ///   pending.
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

  /// Adds work that is due, and queues a job of the actor if none is queued; returns false if the actor is
  /// deallocated.
  private func add(_ work: @escaping @Sendable () -> Void, at priority: TaskPriority) -> Bool {
    guard let actor = target.actor else { return false }
    guard let priority = line.add(work, at: priority) else { return true }
    // A turn of the clock that is already on the actor counts as a turn of the actor. The main actor gets no
    // other turn while its thread advances a test scheduler.
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

/// Work of an actor that is pending until its deadline, and then until the actor runs it.
private final class ActorDeadline: ScheduledWork {
  /// Nil if the actor was deallocated before.
  private let entry: (any ScheduledWork)?
  private let work: CancellableWork

  init(_ entry: (any ScheduledWork)?, _ work: CancellableWork) {
    self.entry = entry
    self.work = work
  }

  func cancel() {
    entry?.cancel()
    work.cancel()
  }
}

/// Work that can be cancelled until it begins (S2).
private final class CancellableWork: Sendable {
  /// Guards the work until it runs or is cancelled. It runs, and is released, after the lock is released.
  private let work: Guarded<(@Sendable () -> Void)?>

  init(_ work: (@Sendable () -> Void)?) { self.work = Guarded(work) }

  func run() { work.exchange(nil)?() }

  func cancel() { _ = work.exchange(nil) }
}

extension EventScheduler where Self == ActorScheduler {
  /// Returns an actor as a scheduler, which holds it weakly.
  ///
  /// Each call creates a scheduler with a queue of its own. To keep the order of the work of several objects,
  /// pass the same scheduler to all of them.
  ///
  /// - Parameter actor: The actor on which work runs.
  public static func actor(_ actor: any Actor) -> ActorScheduler { ActorScheduler(actor) }

  /// Returns an actor as a scheduler whose turns and deadlines are those of another one.
  ///
  /// - Parameters:
  ///   - actor: The actor on which work runs, held weakly.
  ///   - clock: The scheduler whose turns and deadlines are used, for example a `TestScheduler`. It is kept
  ///     alive.
  public static func actor(_ actor: any Actor, clock: some EventScheduler) -> ActorScheduler {
    ActorScheduler(actor, clock: clock)
  }
}

/// A weak reference to an actor.
private struct WeakActor {
  private(set) weak var actor: (any Actor)?

  init(_ actor: any Actor) { self.actor = actor }
}

// SAFETY: a `weak` variable is mutable to the compiler. This one is set once, and the runtime loads it
// atomically.
extension WeakActor: @unchecked Sendable {}

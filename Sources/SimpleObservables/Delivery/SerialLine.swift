internal import Dispatch
public import SimpleEvents
public import Synchronization

/// Takes steps from any thread, and performs them one at a time, in the order they came.
///
/// All of this layer rests on this rule. A thread that submits a step while none is performed becomes the *performer* and
/// performs it at once. A step that is submitted meanwhile, by a subscriber in the middle of a delivery or by another
/// thread, waits in line; the performer takes it next. So no subscriber is called twice at once, all see the same
/// sequence, and the stack does not grow.
///
/// No step is performed under the lock, and no thread waits for the delivery of another one. A performer performs at most
/// ``foreignLimit`` steps of other threads in one call, and leaves the rest to a global queue (V3).
@_fixed_layout
@usableFromInline
class SerialLine<Step>: Upstream, @unchecked Sendable {
  // SAFETY: steps carry values and closures that need not be `Sendable`. They are behind the lock, and performed one at a
  // time; the owner of the line states on which threads.

  /// A step in line.
  @frozen
  @usableFromInline
  struct Waiting {
    @usableFromInline let step: Step
    /// Whether another thread than the performer has submitted it.
    @usableFromInline let isForeign: Bool
    /// Whether a later step of this kind may take its place.
    @usableFromInline let isReplaceable: Bool

    @inlinable
    init(step: Step, isForeign: Bool, isReplaceable: Bool) {
      self.step = step
      self.isForeign = isForeign
      self.isReplaceable = isReplaceable
    }
  }

  /// The outcome of a look at the line.
  @frozen
  @usableFromInline
  enum Next {
    case step(Step)
    /// None waits, and the performer has left.
    case left
    /// The steps that wait are for another thread to perform.
    case handsOver
  }

  /// Guards the steps that wait and what the owner keeps together with the order of the line. The thread is the
  /// performer's; nil where the line is handed over.
  ///
  /// A performer leaves without the lock; see `phase`.
  @usableFromInline let performer: Guarded<ThreadIdentity?>
  /// Whether a step is being performed, and whether others wait.
  ///
  /// It becomes busy, and contended, under the lock only. A performer that finds it busy leaves by a compare-exchange without
  /// the lock: that releases all that the performer has done, and the next performer acquires it by the load that finds the
  /// line idle. A step that comes meanwhile marks the line as contended by a compare-exchange, which fails if the performer
  /// has left before, so that no step is left behind.
  @usableFromInline let phase: Atomic<UInt8>
  /// The steps that wait; nil before the first one.
  ///
  /// SAFETY: used under the lock only, so no two accesses overlap. A check of that at run time would cost as much as the lock,
  /// for each value.
  @exclusivity(unchecked) @usableFromInline var waiting: Fifo<Waiting>

  @inlinable static var idle: UInt8 { 0 }
  @inlinable static var busy: UInt8 { 1 }
  @inlinable static var contended: UInt8 { 2 }

  @inlinable
  override init() {
    performer = Guarded(nil)
    phase = Atomic(Self.idle)
    unsafe waiting = Fifo()
    super.init()
  }

  /// Enters the line for a step; returns whether the caller performs it, as the performer.
  ///
  /// Called under the lock.
  ///
  /// - Parameters:
  ///   - performer: The value behind the lock.
  ///   - replaced: Receives the step whose place the new one takes, for release after the lock.
  ///   - isReplaceable: Whether the step takes the place of one that is replaceable, and may be replaced itself.
  ///   - isUrgent: Whether the step comes before all that wait.
  ///   - step: Made only if it has to wait.
  @inlinable @inline(__always)
  final func enter(
    _ performer: inout ThreadIdentity?, replacing replaced: inout Waiting?, isReplaceable: Bool = false,
    isUrgent: Bool = false, _ step: @autoclosure () -> Step
  ) -> Bool {
    if enterIdle(&performer) { return true }
    return wait(&performer, step(), &replaced, isReplaceable: isReplaceable, isUrgent: isUrgent)
  }

  /// Enters the line if no step is performed; returns whether the caller is the performer. Called under the lock.
  @inlinable @inline(__always)
  final func enterIdle(_ performer: inout ThreadIdentity?) -> Bool {
    guard phase.load(ordering: .acquiring) == Self.idle else { return false }
    phase.store(Self.busy, ordering: .relaxed)
    performer = .current
    return true
  }

  /// Puts a step in line that finds the line busy; returns whether the caller performs it after all.
  ///
  /// Apart from the way into an idle line, which needs no room for steps, and in code for all types no description of them.
  @usableFromInline @inline(never)
  final func wait(
    _ performer: inout ThreadIdentity?, _ step: @autoclosure () -> Step, isUrgent: Bool = false
  ) -> Bool {
    var replaced: Waiting?
    return wait(&performer, step(), &replaced, isReplaceable: false, isUrgent: isUrgent)
  }

  @inlinable @inline(never)
  final func wait(
    _ performer: inout ThreadIdentity?, _ step: Step, _ replaced: inout Waiting?, isReplaceable: Bool,
    isUrgent: Bool
  ) -> Bool {
    let (_, phase) = phase.compareExchange(
      expected: Self.busy, desired: Self.contended, ordering: .acquiringAndReleasing)
    if phase == Self.idle {
      // The performer has left since the load.
      self.phase.store(Self.busy, ordering: .relaxed)
      performer = .current
      return true
    }
    let new = Waiting(step: step, isForeign: performer != .current, isReplaceable: isReplaceable)
    if isUrgent {
      unsafe waiting.prepend(new)
    } else if isReplaceable, let last = unsafe waiting.last, last.isReplaceable {
      replaced = last
      unsafe waiting.last = new
    } else {
      unsafe waiting.append(new)
    }
    return false
  }

  /// Performs a step now, or leaves it to the performer.
  ///
  /// - Parameters:
  ///   - step: What to do.
  ///   - isReplaceable: Whether only the newest of such steps has to be performed.
  ///   - perform: Called under no lock. All callers pass the same function.
  ///   - resume: Calls `performWaiting` with that function. Called if other steps wait.
  /// - Complexity: O(1), plus the steps performed.
  @inlinable @inline(__always)
  final func submit(
    _ step: Step, isReplaceable: Bool = false, to perform: (Step) -> Void, resume: () -> Void
  ) {
    // Released when this returns: after the lock.
    var replaced: Waiting?
    let isPerformer = performer.withLock { performer in
      enter(&performer, replacing: &replaced, isReplaceable: isReplaceable, step)
    }
    if isPerformer {
      perform(step)
      if !departs() { resume() }
    }
  }

  /// Leaves the line if no step waits; returns whether none does.
  @inlinable @inline(__always)
  final func departs() -> Bool {
    phase.compareExchange(
      expected: Self.busy, desired: Self.idle, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
  }

  /// Performs the steps that wait, and leaves.
  ///
  /// - Parameters:
  ///   - perform: The owner's function, called under no lock.
  ///   - resume: Calls this again, on another thread, where the line is handed over.
  @inlinable
  final func performWaiting(to perform: (Step) -> Void, resume: @escaping () -> Void) {
    var budget = foreignLimit
    while true {
      switch next(&budget) {
      case .left: return
      case .handsOver: return continueElsewhere(resume)
      case .step(let step):
        perform(step)
        if departs() { return }
      }
    }
  }

  /// Takes the first step that waits, for the performer.
  ///
  /// - Parameter budget: How many steps of other threads the performer may still perform.
  @inlinable
  final func next(_ budget: inout Int) -> Next {
    var next = Next.left
    performer.withLock { performer in
      guard let first = unsafe waiting.first else {
        phase.store(Self.idle, ordering: .releasing)
        return
      }
      if first.isForeign {
        guard budget > 0 else {
          performer = nil
          next = .handsOver
          return
        }
        budget -= 1
      }
      next = .step(first.step)
      _ = unsafe waiting.popFirst()
      if unsafe waiting.isEmpty { phase.store(Self.busy, ordering: .relaxed) }
    }
    return next
  }

  @usableFromInline
  final func continueElsewhere(_ resume: @escaping () -> Void) {
    // SAFETY: the function performs the line's steps, one at a time, as its owner does.
    nonisolated(unsafe) let resume = resume
    DispatchQueue.globalOfCaller.async { [self] in
      performer.withLock { $0 = .current }
      unsafe resume()
    }
  }
}

/// How many values of other threads one call delivers (V3).
@usableFromInline let foreignLimit: Int = 64

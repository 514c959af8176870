internal import CExplorer

/// The only engine of the process. All code runs on one thread, one fiber at a time.
// SAFETY: there is no second thread that could access the engine.
package nonisolated(unsafe) let engine: Engine = Engine()

/// One execution: its fibers, the running fiber, and the choices.
///
/// A fiber runs until its next visible operation, on a lock, an atomic or a queue. There the engine may let
/// another fiber run instead. A switch from a fiber that could continue is a preemption, and the bound limits
/// their number. When a fiber blocks or ends, every possible successor is tried.
package final class Engine {
  /// The condition for which a step of the scenario waits.
  enum WaitKind {
    case none
    /// No fiber can run unless time passes.
    case drain
    /// No fiber will run again.
    case settle
  }

  /// The number of steps after which an execution counts as a livelock.
  private static let mostSteps: Int = 5_000

  package var choices: Choices = Choices()
  package var time: VirtualTime = VirtualTime()
  /// The largest numbers of preemptions, of reads of older values, and of exchanges that fail for no reason,
  /// in one execution.
  package var bound: (preemptions: Int, staleReads: Int, weakFailures: Int) = (0, 1, 1)
  package var isTracing: Bool = false
  /// The number of the execution. A lock or an atomic with another number belongs to an earlier execution.
  package private(set) var execution: UInt32 = 0
  package private(set) var steps: Int = 0
  package private(set) var failure: String?
  package private(set) var current: Int = 0

  let fibers: UnsafeMutablePointer<Fiber>
  var count: Int = 0
  var enabled: UInt32 = 0
  /// The fibers that wait for work until the execution ends.
  var idle: UInt32 = 0
  private var preemptions: Int = 0
  var staleReads: Int = 0
  var weakFailures: Int = 0
  var waitKind: WaitKind = .none
  var isEnding: Bool = false
  /// The context in which the explorer itself continues.
  private var home: UnsafeMutableRawPointer?
  private var locations: Int = 0
  /// The vector clocks of the last owners of the Observation module's locks.
  var trackingClocks: [UnsafeRawPointer: VectorClock] = [:]
  /// Whether the running fiber holds a lock of the Observation module.
  var isInObservation: Bool = false
  /// Whether other fibers may run between two uses of the Observation module's locks.
  package var interleavesObservation: Bool = false

  init() {
    releases_follow { engine.weakOperation($0) }
    fibers = .allocate(capacity: VectorClock.width)
    for fiber in 0..<VectorClock.width {
      (fibers + fiber).initialize(to: Fiber())
    }
    followTracking()
    races_follow { engine.race($0, $1) }
  }

  /// Runs a scenario once with the next choices; returns false if a contract was violated.
  package func run(_ body: @escaping () -> Void) -> Bool {
    execution += 1
    (steps, count, enabled, idle) = (0, 0, 0, 0)
    (preemptions, staleReads, weakFailures, locations) = (0, 0, 0, 0)
    (waitKind, isEnding, failure) = (.none, false, nil)
    time = VirtualTime()
    (trackingClocks, isInObservation, interleavesObservation) = ([:], false, false)
    start("main", knowing: VectorClock(), body)
    current = 0
    follow(0)
    tracking_switch(nil, &fibers[0].tracking)
    fiber_switch(&home, fibers[0].context!)
    releases_enter(nil, 0, execution)
    races_enter(nil, 0, execution, nil, 0)
    return failure == nil
  }

  /// Ends the execution with a violation, and abandons its fibers.
  package func fail(_ message: String) -> Never {
    if isTracing {
      print("      \(fibers[current].name): violation")
    }
    failure = message
    var abandoned: UnsafeMutableRawPointer?
    fiber_switch(&abandoned, home!)
    fatalError("an abandoned fiber was continued")
  }

  // MARK: Fibers

  /// Creates a fiber that may run from now on.
  @discardableResult
  package func start(_ name: String, knowing clock: VectorClock, _ body: @escaping () -> Void) -> Int {
    let new = count
    guard new < VectorClock.width else { fail("too many fibers") }
    count += 1
    fibers[new].context = fiber_make(fibers[new].stack, Fiber.stackSize, { engine.runFiber() })
    fibers[new].body = .passRetained(Body(run: body))
    fibers[new].name = name
    fibers[new].clock = clock
    fibers[new].clock.tick(new)
    fibers[new].tracking = tracking()
    fibers[new].heldLocks = 0
    fibers[new].queue = nil
    fibers[new].isFinished = false
    fibers[new].isFresh = true
    enabled |= 1 << UInt32(new)
    return new
  }

  private func runFiber() {
    fibers[current].body?.takeUnretainedValue().run()
    fibers[current].body?.release()
    fibers[current].body = nil
    if current == 0 {
      settle()
      isEnding = true
      enabled |= idle
    }
    fibers[current].isFinished = true
    block("")
    fatalError("a finished fiber was continued")
  }

  // MARK: Scheduling

  var own: UInt32 { 1 << UInt32(current) }

  /// Lets another fiber run, or time pass, before the calling fiber's next visible operation.
  @inline(__always)
  package func point() {
    steps += 1
    if steps > Self.mostSteps {
      fail("livelock: \(Self.mostSteps) steps without an end")
    }
    if fibers[current].isFresh {
      fibers[current].isFresh = false
    } else if !isEnding && (enabled != own || time.isPending) {
      preempt()
    }
  }

  /// A visible operation that the runtime performs.
  private func weakOperation(_ operation: weak_operation) {
    guard !isInObservation else {
      fatalError("an object with weak references is released under a lock of Observation")
    }
    point()
    trace(
      operation == weak_operation_load ? "asks a weak reference" : "releases an object with weak references")
  }

  private func preempt() {
    while true {
      let others = enabled & ~own
      let count = 1 + others.nonzeroBitCount + (time.isPending ? 1 : 0)
      guard count > 1 else { return }
      let option = choices.choose(of: count, free: 1, allowed: preemptions < bound.preemptions ? count : 1)
      guard option > 0 else { return }
      preemptions += 1
      guard option > others.nonzeroBitCount else { return resume(others.index(ofBit: option - 1)) }
      advanceTime()
    }
  }

  /// Lets other fibers run until the calling fiber is enabled again. The caller must have arranged that
  /// another fiber enables it.
  func block(_ obstacle: StaticString) {
    fibers[current].obstacle = obstacle
    enabled &= ~own
    while true {
      let ready = enabled.nonzeroBitCount
      if ready == 0 {
        guard findWork() else { return leave() }
        continue
      }
      let mayWait = time.isPending && !isEnding
      var option = 0
      if !isEnding && (ready > 1 || mayWait) {
        let count = ready + (mayWait ? 1 : 0)
        option = choices.choose(
          of: count, free: ready, allowed: preemptions < bound.preemptions ? count : ready)
      }
      guard option == ready else { return resume(enabled.index(ofBit: option)) }
      preemptions += 1
      advanceTime()
    }
  }

  /// If no fiber can run, lets time pass or ends a wait; returns false if the execution has ended.
  private func findWork() -> Bool {
    if waitKind == .drain {
      enabled |= 1
    } else if time.isPending && !isEnding {
      advanceTime()
    } else if waitKind == .settle {
      enabled |= 1
    } else if isEnding && (0..<count).allSatisfy({ fibers[$0].isFinished }) {
      return false
    } else {
      let blocked = (0..<count).filter { !fibers[$0].isFinished && idle >> UInt32($0) & 1 == 0 }
      fail(
        "deadlock: "
          + blocked.map { "\(fibers[$0].name) waits for \(fibers[$0].obstacle)" }.joined(separator: ", "))
    }
    return true
  }

  private func resume(_ next: Int) {
    guard next != current else { return }
    let previous = current
    current = next
    follow(next)
    tracking_switch(&fibers[previous].tracking, &fibers[next].tracking)
    fiber_switch(&fibers[previous].context, fibers[next].context!)
  }

  /// From now on, counts releases of objects and accesses to memory for a fiber.
  private func follow(_ fiber: Int) {
    let stack = fibers[fiber].stack
    withUnsafeMutablePointer(to: &fibers[fiber].clock) {
      let clock = UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt16.self)
      releases_enter(clock, UInt32(fiber), execution)
      races_enter(clock, UInt32(fiber), execution, stack, Fiber.stackSize)
    }
  }

  /// Reports two accesses of the library to ordinary memory that are not ordered.
  private func race(_ earlier: access, _ later: access) -> Never {
    func describe(_ access: access) -> String {
      let kind = access.is_write != 0 ? "a write" : "a read"
      return "\(kind) by \(fibers[Int(access.fiber)].name) at 0x\(String(access.instruction, radix: 16))"
    }
    fail("a race: \(describe(earlier)) is not ordered with \(describe(later))")
  }

  private func leave() {
    var finished: UnsafeMutableRawPointer?
    fiber_switch(&finished, home!)
  }

  // MARK: Context

  package var heldLocks: Int {
    get { fibers[current].heldLocks }
    set { fibers[current].heldLocks = newValue }
  }

  /// The dispatch queue whose work the calling fiber runs.
  package var queue: UnsafeRawPointer? {
    get { fibers[current].queue }
    set { fibers[current].queue = newValue }
  }

  func nextLocation() -> Int {
    locations += 1
    return locations
  }

  /// Writes a step of a traced execution.
  package func trace(_ step: @autoclosure () -> String) {
    if isTracing {
      print("  \(steps)\t\(choices.number)\t\(fibers[current].name): \(step())")
    }
  }
}

extension UInt32 {
  /// Returns the index of a set bit. Set bits are counted from the lowest one.
  fileprivate func index(ofBit ordinal: Int) -> Int {
    var bits = self
    for _ in 0..<ordinal {
      bits &= bits - 1
    }
    return bits.trailingZeroBitCount
  }
}

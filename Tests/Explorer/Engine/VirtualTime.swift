/// The clock of one execution, and its pending deadlines.
///
/// Time stands still while fibers run, except that each reading adds a nanosecond, so that no two readings
/// are equal. Time moves to the next deadline when no fiber can run. Moving it earlier counts as a
/// preemption.
package struct VirtualTime {
  private struct Entry {
    var deadline: Int64
    var owner: ObjectIdentifier
    var ring: () -> Void
  }

  /// The time at the start of an execution.
  package static let start: Int64 = 1_000_000_000

  package private(set) var now: Int64 = start
  private var entries: ContiguousArray<Entry> = []

  package init() {}

  /// Whether a deadline is pending.
  @inline(__always)
  package var isPending: Bool { !entries.isEmpty }

  /// The number of pending deadlines.
  package var count: Int { entries.count }

  /// The first pending deadline.
  package var next: Int64? { entries.first?.deadline }

  package mutating func read() -> Int64 {
    now += 1
    return now
  }

  /// Calls a closure at a deadline. The deadline replaces an earlier deadline of the same owner.
  ///
  /// - Parameter ring: The closure. It is called on any fiber, and must not reach a visible operation.
  package mutating func set(_ owner: AnyObject, at deadline: Int64, _ ring: @escaping () -> Void) {
    clear(owner)
    let place = entries.firstIndex { $0.deadline > deadline } ?? entries.count
    entries.insert(Entry(deadline: deadline, owner: ObjectIdentifier(owner), ring: ring), at: place)
  }

  package mutating func clear(_ owner: AnyObject) {
    entries.removeAll { $0.owner == ObjectIdentifier(owner) }
  }

  /// Moves to the next deadline; returns the closures that are due then, in order.
  fileprivate mutating func advance() -> ContiguousArray<() -> Void> {
    now = max(now, entries[0].deadline)
    let due = entries.prefix { $0.deadline <= now }
    entries.removeFirst(due.count)
    return ContiguousArray(due.map(\.ring))
  }
}

extension Engine {
  /// Moves the clock to the next deadline, and calls the closures that are due.
  func advanceTime() {
    let due = time.advance()
    trace("time passes")
    for ring in due {
      ring()
    }
  }

  /// Blocks the calling fiber until an instant.
  package func sleep(until instant: Int64) {
    let waiters = UnsafeMutablePointer<Waiters>.allocate(capacity: 1)
    waiters.initialize(to: Waiters())
    defer { waiters.deallocate() }
    let owner = Sleeper()
    time.set(owner, at: instant) { engine.open(waiters.pointee, for: 1) }
    wait(waiters, for: "an instant")
  }
}

/// The owner of a sleep's deadline.
private final class Sleeper {}

internal import CExplorer

/// A thread of the model. It has a stack and a vector clock, and if it cannot run, a reason.
struct Fiber {
  static let stackSize: Int = 256 * 1024

  let stack: UnsafeMutableRawPointer
  /// The context in which the fiber continues when it does not run.
  var context: UnsafeMutableRawPointer?
  /// The closure is unmanaged, because the closure of an abandoned fiber is never released.
  var body: Unmanaged<Body>?
  var name: String = ""
  var clock: VectorClock = VectorClock()
  /// The Observation module's thread-local variables, stored while the fiber does not run.
  var tracking: tracking = CExplorer.tracking()
  var heldLocks: Int = 0
  /// The dispatch queue whose work the fiber runs.
  var queue: UnsafeRawPointer?
  /// Whether the fiber has ended, or was never started.
  var isFinished: Bool = true
  /// Whether a choice has selected the fiber, and the fiber has taken no step since then.
  var isFresh: Bool = false
  /// The name of the event for which the fiber waits.
  var obstacle: StaticString = ""

  init() {
    guard let stack = fiber_allocate_stack(Fiber.stackSize) else { fatalError("no memory for a stack") }
    self.stack = stack
  }
}

/// A set of fibers that are blocked until they are opened.
package struct Waiters {
  var bits: UInt32 = 0

  package init() {}

  package var count: Int { bits.nonzeroBitCount }
}

/// The closure that a fiber runs.
final class Body {
  let run: () -> Void

  init(run: @escaping () -> Void) {
    self.run = run
  }
}

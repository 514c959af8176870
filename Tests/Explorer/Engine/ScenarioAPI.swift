internal import CExplorer

// The functions and types that scenarios use.

/// Runs closures on threads of their own, and returns when all have ended. Their effects happen before the
/// return.
package func parallel(_ bodies: (() -> Void)...) {
  let ends = Ends(count: bodies.count)
  for (body, name) in zip(bodies, ["A", "B", "C", "D", "E"]) {
    engine.start(name, knowing: engine.release()) {
      body()
      ends.arrive()
    }
  }
  ends.wait()
}

/// Lets other threads run here.
package func step() {
  engine.point()
}

/// Blocks the calling thread until a time after the start of the execution, in milliseconds.
package func sleep(until milliseconds: Int) {
  engine.sleep(until: VirtualTime.start + Int64(milliseconds) * 1_000_000)
}

/// Waits until no thread can run unless time passes.
package func drain() {
  engine.drain()
}

/// Waits until no thread will run again, timers included.
package func settle() {
  engine.settle()
}

/// Ends the execution with a violation if a condition does not hold.
///
/// - Parameter contract: The number of the contract and the promise, such as `C1: a delivery never overlaps
///   itself`.
package func expect(_ condition: Bool, _ contract: @autoclosure () -> String) {
  if !condition {
    engine.fail(contract())
  }
}

/// Checks that the calling thread holds no lock, at the start of a callback of the scenario.
package func expectUnlocked(_ contract: @autoclosure () -> String = "H5: user code is called under no lock") {
  expect(engine.heldLocks == 0, contract())
}

/// A variable that is not atomic. Two accesses that happens-before does not order are a violation.
package final class Shared<Value> {
  private var stored: Value
  private var cell: PlainCell = PlainCell()
  private let contract: String

  package init(_ value: Value, _ contract: String) {
    stored = value
    self.contract = contract
  }

  package var value: Value {
    get {
      expect(cell.read(), "\(contract) (a read that is not ordered with a write)")
      return stored
    }
    set {
      expect(cell.write(), "\(contract) (a write that is not ordered with another access)")
      stored = newValue
    }
  }
}

/// A user's object. It counts its deallocation, and checks that no lock is held at that time.
package final class LeakCheckedObject {
  private let counter: Counter

  package init(_ counter: Counter) {
    self.counter = counter
    counter.value += 1
  }

  deinit {
    counter.value -= 1
    expectUnlocked("H5: a user's object is released under no lock")
  }
}

/// The unowned references to an object. They keep the memory of the object allocated. Until its deallocation,
/// the object itself counts as one such reference.
package final class UnownedReferences {
  private unowned let object: AnyObject
  private let address: UnsafeRawPointer

  package init(to object: AnyObject) {
    self.object = object
    address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
  }

  /// The number of references, without the reference of this counter.
  package var count: Int { Int(releases_unowned_count(address)) - 1 }
}

/// A number for the scenario's own records. It is outside the memory model.
// SAFETY: all fibers run on one thread.
package final class Counter: @unchecked Sendable {
  package var value: Int = 0

  package init() {}
}

/// The ends of the threads of one call of `parallel`.
private final class Ends {
  private var count: Int
  private var clock: VectorClock = VectorClock()
  private let waiters: UnsafeMutablePointer<Waiters> = .allocate(capacity: 1)

  init(count: Int) {
    self.count = count
    waiters.initialize(to: Waiters())
  }

  deinit {
    waiters.deallocate()
  }

  func arrive() {
    count -= 1
    clock.join(engine.release())
    engine.open(waiters.pointee, for: count == 0 ? 1 : 0)
  }

  func wait() {
    while count > 0 {
      engine.wait(waiters, for: "the threads of the scenario")
    }
    engine.acquire(clock)
  }
}

/// A latch. Threads wait at it until another thread opens it. It stays open.
package final class Latch {
  package private(set) var isOpen: Bool = false
  private var clock: VectorClock = VectorClock()
  private let waiters: UnsafeMutablePointer<Waiters> = .allocate(capacity: 1)

  package init() {
    waiters.initialize(to: Waiters())
  }

  deinit {
    waiters.deallocate()
  }

  package func open() {
    engine.point()
    isOpen = true
    clock.join(engine.release())
    engine.open(waiters.pointee, for: waiters.pointee.count)
  }

  package func wait() {
    engine.point()
    while !isOpen {
      engine.wait(waiters, for: "a latch")
    }
    engine.acquire(clock)
  }
}

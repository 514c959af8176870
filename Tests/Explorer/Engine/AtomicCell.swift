/// An atomic variable of the model: its latest values, and the vector clock that each value publishes.
///
/// A load may return any value that happens-before and coherence allow. The modification order is the order
/// of execution. A read-modify-write reads the latest value, as the memory model requires.
package struct AtomicCell {
  private struct Store {
    var value: UInt
    var moment: Moment
    /// The vector clock that a load of this value acquires: the joined clocks of all stores in its release
    /// sequence.
    var released: VectorClock = VectorClock()
  }

  /// The number of latest values that may be read.
  private static let depth: Int = 4

  private let id: Int
  private let made: Moment
  /// The execution to which the stores belong.
  private let execution: UInt32
  private let stores: UnsafeMutablePointer<Store>
  /// The number of values so far. The latest value has the index `(count - 1) % depth`.
  private var count: Int = 1
  /// For each fiber, the number of the latest value that it has read, and the fiber's epoch at that read.
  private var readCount: SIMD16<UInt16> = .zero
  private var readEpoch: SIMD16<UInt16> = .zero

  private init(_ value: UInt, _ made: Moment, in stores: UnsafeMutablePointer<Store>) {
    id = engine.nextLocation()
    self.made = made
    execution = engine.execution
    self.stores = stores
    stores[0] = Store(value: value, moment: made)
  }

  package static func make(_ value: UInt, _ type: @autoclosure () -> String) -> UnsafeMutablePointer<
    AtomicCell
  > {
    let stores = UnsafeMutablePointer<Store>.allocate(capacity: depth)
    stores.initialize(repeating: Store(value: 0, moment: Moment()), count: depth)
    let cell = UnsafeMutablePointer<AtomicCell>.allocate(capacity: 1)
    cell.initialize(to: AtomicCell(value, engine.moment, in: stores))
    engine.trace("makes atomic \(cell.pointee.id) of \(type()): \(value)")
    return cell
  }

  package static func destroy(_ cell: UnsafeMutablePointer<AtomicCell>) {
    cell.pointee.stores.deallocate()
    cell.deallocate()
  }

  /// Reads the latest value, or an older value if that is allowed.
  package static func load(_ cell: UnsafeMutablePointer<AtomicCell>, acquires: Bool, isLatest: Bool) -> UInt {
    visit(cell)
    engine.point()
    let readable = cell.pointee.count - cell.pointee.oldestReadable()
    let age = isLatest ? 0 : engine.chooseRead(of: 1 + min(readable, depth - 1))
    let value = cell.pointee.read(cell.pointee.count - age, acquires: acquires)
    engine.trace(
      "loads \(value) from atomic \(cell.pointee.id)\(age > 0 ? ", \(age) older than the latest" : "")")
    return value
  }

  /// Writes a value. The value begins a new release sequence.
  package static func store(_ cell: UnsafeMutablePointer<AtomicCell>, _ value: UInt, releases: Bool) {
    visit(cell)
    engine.point()
    engine.trace("stores \(value) to atomic \(cell.pointee.id)")
    cell.pointee.append(value, VectorClock(), releases: releases)
  }

  /// Reads the latest value, and replaces it if a new value is given; returns the value that was read.
  package static func modify(
    _ cell: UnsafeMutablePointer<AtomicCell>, acquires: Bool, releases: Bool, acquiresOtherwise: Bool = false,
    _ change: (UInt) -> UInt?
  ) -> UInt {
    visit(cell)
    engine.point()
    let latest = cell.pointee.stores[(cell.pointee.count - 1) % depth]
    let new = change(latest.value)
    let old = cell.pointee.read(cell.pointee.count, acquires: new == nil ? acquiresOtherwise : acquires)
    if let new {
      engine.trace("changes \(old) to \(new) in atomic \(cell.pointee.id)")
      cell.pointee.append(new, latest.released, releases: releases)
    } else {
      engine.trace("finds \(old) in atomic \(cell.pointee.id) and leaves it")
    }
    return old
  }

  private mutating func append(_ value: UInt, _ sequence: VectorClock, releases: Bool) {
    let moment = engine.moment
    var released = sequence
    if releases {
      released.join(engine.release())
    }
    stores[count % Self.depth] = Store(value: value, moment: moment, released: released)
    count += 1
  }

  /// Reads the value with a number.
  private mutating func read(_ number: Int, acquires: Bool) -> UInt {
    let store = stores[(number - 1) % Self.depth]
    if acquires {
      engine.acquire(store.released)
    }
    readCount[engine.current] = UInt16(truncatingIfNeeded: number)
    readEpoch[engine.current] = engine.moment.epoch
    return store.value
  }

  /// Returns the number of the oldest value that the current fiber may read. No write or read that happens
  /// before the load has replaced this value.
  private func oldestReadable() -> Int {
    let clock = engine.clock
    var oldest = count
    while oldest > max(1, count - Self.depth + 1), !clock.includes(stores[(oldest - 1) % Self.depth].moment) {
      oldest -= 1
    }
    let known = readCount.replacing(with: 0, where: readEpoch .> clock.epochs)
    return max(oldest, Int(known.max()))
  }

  /// Checks that the initialisation of a cell happens before this use. A cell of an earlier execution counts
  /// as new.
  private static func visit(_ cell: UnsafeMutablePointer<AtomicCell>) {
    if cell.pointee.execution != engine.execution {
      let value = cell.pointee.stores[(cell.pointee.count - 1) % depth].value
      cell.initialize(to: AtomicCell(value, Moment(), in: cell.pointee.stores))
    } else if !engine.clock.includes(cell.pointee.made) {
      engine.fail("an atomic is used by a thread that its initialisation does not happen before")
    }
  }
}

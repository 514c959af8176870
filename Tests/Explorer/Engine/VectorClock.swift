/// The happens-before order of one execution: for each fiber, the latest epoch that is known.
///
/// Epochs count a fiber's releases, so an execution has fewer than 65,536 of them; the engine's limit of
/// steps lies far below.
package struct VectorClock {
  /// The most fibers that an execution may have.
  package static let width: Int = 16

  package private(set) var epochs: SIMD16<UInt16> = .zero

  package init() {}

  @inline(__always)
  package subscript(fiber: Int) -> UInt16 { epochs[fiber] }

  /// Adds the knowledge of another clock.
  @inline(__always)
  package mutating func join(_ other: VectorClock) {
    epochs.replace(with: other.epochs, where: other.epochs .> epochs)
  }

  /// Begins the next epoch of a fiber.
  @inline(__always)
  package mutating func tick(_ fiber: Int) {
    epochs[fiber] += 1
  }

  /// Records an epoch of a fiber.
  package mutating func set(_ moment: Moment) {
    epochs[Int(moment.fiber)] = moment.epoch
  }

  /// Whether this clock knows a fiber's epoch.
  @inline(__always)
  package func includes(_ moment: Moment) -> Bool {
    moment.epoch <= epochs[Int(moment.fiber)]
  }

  /// Whether this clock has the whole knowledge of another one.
  package func includes(_ other: VectorClock) -> Bool {
    all(other.epochs .<= epochs)
  }
}

/// An epoch of one fiber. Epoch zero precedes all others.
package struct Moment {
  package var fiber: UInt16 = 0
  package var epoch: UInt16 = 0

  package init() {}

  package init(fiber: Int, epoch: UInt16) {
    self.fiber = UInt16(truncatingIfNeeded: fiber)
    self.epoch = epoch
  }
}

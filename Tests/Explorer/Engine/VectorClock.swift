/// A vector clock of one execution: for each fiber, the latest epoch that happens before.
///
/// Epochs count a fiber's releases. An execution must have fewer than 65,536 of them, and the engine's limit
/// of steps is far below that.
package struct VectorClock {
  /// The largest number of fibers in an execution.
  package static let width: Int = 16

  package private(set) var epochs: SIMD16<UInt16> = .zero

  package init() {}

  @inline(__always)
  package subscript(fiber: Int) -> UInt16 { epochs[fiber] }

  /// Adds the epochs of another clock.
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

  /// Whether a fiber's epoch happens before this clock.
  @inline(__always)
  package func includes(_ moment: Moment) -> Bool {
    moment.epoch <= epochs[Int(moment.fiber)]
  }

  /// Whether all epochs of another clock happen before this clock.
  package func includes(_ other: VectorClock) -> Bool {
    all(other.epochs .<= epochs)
  }
}

/// An epoch of one fiber. Epoch zero precedes all other epochs.
package struct Moment {
  package var fiber: UInt16 = 0
  package var epoch: UInt16 = 0

  package init() {}

  package init(fiber: Int, epoch: UInt16) {
    self.fiber = UInt16(truncatingIfNeeded: fiber)
    self.epoch = epoch
  }
}

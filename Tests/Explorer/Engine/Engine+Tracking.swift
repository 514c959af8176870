internal import CExplorer

extension Engine {
  /// Makes the operations on the Observation module's locks visible. The module's code is the toolchain's
  /// own.
  func followTracking() {
    guard tracking_follow({ engine.trackingOperation($0, on: $1) }) != 0 else {
      fatalError("the Observation module is not found")
    }
  }

  /// Handles an operation on a lock of the Observation module. The lock is free, because the engine never
  /// switches away from a fiber that holds one.
  private func trackingOperation(_ operation: tracking_operation, on lock: UnsafeRawPointer) {
    switch operation {
    case tracking_operation_lock:
      if interleavesObservation && !isInObservation { point() }
      heldLocks += 1
      isInObservation = true
      acquire(trackingClocks[lock] ?? VectorClock())
    case tracking_operation_unlock:
      isInObservation = false
      heldLocks -= 1
      trackingClocks[lock] = release()
    default:
      trackingClocks[lock] = nil
    }
  }
}

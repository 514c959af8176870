// These methods serve an owner that delivers a payload: elements, or the newest of several values. The lock
// of the gate guards the payload. The payload is stored in the step in which the gate accepts its signal, and
// taken in the step in which the delivery starts. Each delivery therefore has the payloads of exactly the
// signals that it covers (C2, C9).
extension Coalescer {
  /// Accepts a signal with a payload, from any thread.
  ///
  /// - Parameters:
  ///   - owner: The object that delivers.
  ///   - store: A function that stores the payload, or counts it as dropped if the policy ignores the signal.
  ///     It is called under the lock.
  package borrowing func signal(for owner: some Wakeable, storing store: (_ isAccepted: Bool) -> Void) {
    let isJoined = join {
      store(true)
      return true
    }
    if !isJoined {
      _ = attempt(for: owner, if: { true }) { isAccepted in
        store(isAccepted)
        return false
      }
    }
  }

  /// Accepts a signal with a payload if the signal joins the pending delivery and needs no step; returns
  /// false otherwise.
  ///
  /// Most signals of a storm join. This method is separate from `attempt`, so that it can be compiled
  /// together with the code that stores an element.
  ///
  /// - Parameter store: A function that stores the payload and returns true. If the signal cannot join, the
  ///   function stores nothing and returns false. It is called under the lock.
  @inlinable @inline(__always) borrowing func join(storing store: () -> Bool) -> Bool {
    guard joinsBlindly else { return false }
    return state.withLock { $0.gate.coversSignals && store() }
  }

  /// Reads or changes the payload under the lock.
  package borrowing func withLock<Result>(_ body: () -> Result) -> Result { state.withLock { _ in body() } }
}

/// Detects an object whose deliveries are caused only by its own deliveries (C11), in debug builds. Use it
/// under the lock of the object.
///
/// The signal that makes a delivery pending counts as its cause. Signals that join the pending delivery are
/// ignored: without them the delivery would have come as well.
@usableFromInline package struct FeedbackWatch {
  /// The number of deliveries in a row at which the object is flagged.
  package static let limit: Int = 10_000

  #if DEBUG
    /// The thread of the delivery in progress.
    private var thread: ThreadIdentity?
    private var isCausedInside: Bool = false
    private var isCausedOutside: Bool = false
    private var count: Int = 0
  #endif

  /// Records a signal.
  ///
  /// - Parameter isInside: Whether the owner knows that the caller is part of its delivery. The owner need
  ///   not check the thread of the delivery, which is stored here.
  @usableFromInline mutating func noteSignal(isInside: Bool) {
    #if DEBUG
      if isInside || thread == .current { isCausedInside = true } else { isCausedOutside = true }
    #endif
  }

  /// Records the start of a delivery.
  mutating func noteStart() {
    #if DEBUG
      count = isCausedInside && !isCausedOutside ? count + 1 : 0
      (isCausedInside, isCausedOutside) = (false, false)
      thread = .current
    #endif
  }

  /// Records the end of a delivery; returns whether the object is to be flagged, which happens once.
  mutating func noteEnd() -> Bool {
    #if DEBUG
      thread = nil
      return count == Self.limit
    #else
      return false
    #endif
  }
}

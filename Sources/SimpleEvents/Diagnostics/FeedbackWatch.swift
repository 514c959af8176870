/// Detects an object whose deliveries are caused only by its own deliveries (C11), in debug builds. The lock
/// of the object guards the watch.
///
/// The signal that makes a delivery pending counts as its cause. A signal that joins a pending delivery does
/// not count, because the delivery would have come without it.
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
  /// - Parameter isInside: Whether the owner knows that the caller is part of the delivery in progress. A
  ///   caller on the thread of that delivery is recognised without this argument.
  @usableFromInline mutating func noteSignal(isInside: Bool) {
    #if DEBUG
      if isInside || thread == .current { isCausedInside = true } else { isCausedOutside = true }
    #endif
  }

  /// Records the start of a delivery, unless a delivery is in progress. A stage of an object with keys is one
  /// delivery, which starts with its first key.
  @usableFromInline mutating func noteStart() {
    #if DEBUG
      guard thread == nil else { return }
      count = isCausedInside && !isCausedOutside ? count + 1 : 0
      (isCausedInside, isCausedOutside) = (false, false)
      thread = .current
    #endif
  }

  /// Records the end of a delivery, if one is in progress; returns whether the object is to be flagged.
  ///
  /// A row consists of deliveries that only the object's own deliveries have caused. The result is true once
  /// for each row, at the delivery with the number `limit`.
  mutating func noteEnd() -> Bool {
    #if DEBUG
      defer { thread = nil }
      return thread != nil && count == Self.limit
    #else
      return false
    #endif
  }
}

public import SimpleEvents

/// The subscribers of a broadcast, in the order in which they were added (H1).
///
/// The list is not generic over the values, so that one compiled list serves all broadcasts. Most subjects
/// have one subscriber at most, and no slots.
///
/// The steps of the broadcast use the list, one at a time. The list does not change during a delivery.
/// Neither the list nor a subscriber is therefore retained for a call, which would take as long as the call.
@frozen @usableFromInline struct SubscriberList {
  /// The subscriber at position zero; nil if it was removed. Later subscribers follow in `others`.
  @usableFromInline var first: SubscriberEntry?
  /// The subscribers after the first one.
  @usableFromInline var others: EntrySlots<SubscriberEntry> = EntrySlots()

  @inlinable init() {}

  /// Calls a body with each subscriber, in order.
  @inlinable @inline(__always) mutating func forEach(_ body: (SubscriberEntry) -> Void) {
    // SAFETY: the list holds its subscribers, and does not change during the calls. An optional reference has
    // the representation of an optional unmanaged one.
    let first = unsafe withUnsafeBytes(of: &first) { unsafe $0.load(as: Unmanaged<SubscriberEntry>?.self) }
    if let first = unsafe first { unsafe first._withUnsafeGuaranteedRef { body($0) } }
    guard !others.isEmpty else { return }
    unsafe others.slots.withUnsafeBytes { bytes in
      // SAFETY: a slot has the representation of an optional unmanaged reference.
      let slots = unsafe bytes.assumingMemoryBound(to: Unmanaged<SubscriberEntry>?.self)
      for index in 0..<slots.count {
        if let slot = unsafe slots[index] { unsafe slot._withUnsafeGuaranteedRef { body($0) } }
      }
    }
  }

  /// Adds a subscriber at the end.
  ///
  /// - Complexity: Amortised O(1).
  @usableFromInline mutating func append(_ subscriber: SubscriberEntry) {
    defer { checkInvariants() }
    if first == nil && others.isEmpty {
      subscriber.position = 0
      first = subscriber
    } else {
      others.append(subscriber)
    }
  }

  /// Removes and returns a subscriber; nil if it is not in the list.
  ///
  /// - Complexity: Amortised O(1).
  @usableFromInline mutating func remove(_ subscription: Subscription) -> SubscriberEntry? {
    defer { checkInvariants() }
    let position = unsafe subscription.position
    unsafe subscription.position = -1
    return position == 0 ? first.take() : others.remove(at: position)
  }

  /// Checks the places of the subscribers.
  ///
  /// - Complexity: O(n), and O(1) for a list that is longer than the limit of such checks.
  func checkInvariants() {
    invariant(first.map { $0.position == 0 } ?? true, "H3: the first subscriber is in the first place")
    others.checkInvariants()
  }
}

public import SimpleEvents

/// A step of a broadcast.
@frozen @usableFromInline enum BroadcastStep<Value> {
  case next(Value)
  case end(Completion)
  /// The case is indirect, so that a queued value uses no more memory than it needs (V3).
  indirect case add(Observer<Value>)
  case remove(Subscription)
  case removeAll
}

/// The core of every subject: a queue of steps, and a list of subscribers.
///
/// Values, the end, new subscribers and removals are steps of one queue. Each subscriber is therefore added
/// between two values: earlier values are replayed once, and later values are delivered.
///
/// Subscribers are called in the order in which they were added (H1). A subscriber that is added or removed
/// during a delivery joins or leaves the list after the delivery. A removed subscriber is not called again
/// (H3).
@_fixed_layout @usableFromInline
final class Broadcast<Value>: StepQueue<BroadcastStep<Value>>, @unchecked Sendable {
  // SAFETY: the proof of the superclass holds.

  // SAFETY: the lock guards these properties, so no two accesses overlap. A check of this at run time would
  // cost as much as the lock, for each value.
  @exclusivity(unchecked) @usableFromInline var latest: Value?
  @exclusivity(unchecked) @usableFromInline var isOver: Bool = false
  /// The number of subscribers that need every value, including subscribers whose addition is queued. If it
  /// is zero, a newer value may replace a queued value (V3). A subject that replays several values counts as
  /// one such subscriber.
  @exclusivity(unchecked) @usableFromInline var nonConflatingCount: Int32

  // SAFETY: the steps of the queue use these properties, one at a time, and call no code of the user during
  // an access.
  /// Whether the newest value is replayed.
  @usableFromInline let replaysNewest: Bool
  /// The value that was delivered last.
  @exclusivity(unchecked) @usableFromInline var current: Value?
  @exclusivity(unchecked) @usableFromInline var completion: Completion?
  @exclusivity(unchecked) @usableFromInline var subscribers: SubscriberList = SubscriberList()
  /// The rules for comparison and replay; nil for most subjects.
  @usableFromInline let rules: ReplayRules<Value>?

  /// - Parameters:
  ///   - initial: The first value; nil if there is none.
  ///   - replaysNewest: Whether a new subscriber receives the newest value first.
  ///   - rules: The rules for comparison and replay; nil if there are none.
  @inlinable init(initial: Value? = nil, replaysNewest: Bool, rules: ReplayRules<Value>? = nil) {
    unsafe latest = initial
    unsafe current = initial
    self.replaysNewest = replaysNewest
    self.rules = rules
    unsafe nonConflatingCount = rules?.capacity == nil ? 0 : 1
    super.init()
  }

  /// The value that was sent last, even if it has not been delivered yet.
  @inlinable var newest: Value? {
    var newest: Value?
    synchronized { unsafe newest = latest }
    return newest
  }

  /// Sends a value after all earlier values.
  ///
  /// - Parameter source: The subscription from which the value comes; nil if there is none. Values from a
  ///   closed subscription are dropped. The check is made under the lock, so an accepted value is queued
  ///   before any subscriber that is added after the subscription was closed.
  @inlinable func send(_ value: Value, from source: Subscription? = nil) {
    // The old value is released when this method returns, after the lock is released.
    var old: Value?
    // NB: this is a function, because a closure would be called instead of inlined.
    @inline(__always) func perform() { deliver(value) }
    submit(
      .next(value),
      admission: {
        if let source, source.isClosed { return .refused }
        guard unsafe !isOver else { return .refused }
        unsafe old = latest
        unsafe latest = value
        return unsafe nonConflatingCount == 0 ? .replaceable : .kept
      }, perform: perform)
    withExtendedLifetime(old) {}
  }

  /// Ends the sequence after all values that were sent before.
  @inlinable func end(_ completion: Completion) {
    submit(
      .end(completion),
      if: {
        defer { unsafe isOver = true }
        return unsafe !isOver
      }
    ) { deliver(completion) }
  }

  /// Adds an observer after it has received the replayed values.
  @inlinable func add(_ observer: Observer<Value>) {
    submit(
      .add(observer),
      if: {
        if !observer.conflates { unsafe nonConflatingCount += 1 }
        return true
      }
    ) { register(observer) }
  }

  /// Removes a subscriber now, or after the delivery in progress.
  @inlinable override func disconnect(_ subscription: Subscription) {
    submit(
      .remove(subscription), isUrgent: true,
      if: {
        if unsafe !subscription.conflates { unsafe nonConflatingCount -= 1 }
        return true
      }
    ) { remove(subscription) }
  }

  /// Removes the subscribers that were added before, after the delivery of the values that were sent before.
  func removeAll() { submit(.removeAll) { removeSubscribers() } }

  @inlinable @inline(never) override func drain() { drain { [self] in perform($0) } }

  @inlinable func perform(_ step: BroadcastStep<Value>) {
    switch step {
    case .next(let value): deliver(value)
    case .end(let completion): deliver(completion)
    case .add(let observer): register(observer)
    case .remove(let subscription): remove(subscription)
    case .removeAll: removeSubscribers()
    }
  }

  @inlinable @inline(__always) func deliver(_ value: Value) {
    if let rules, unsafe !rules.admit(value, after: current) { return }
    // The old value is released when this method returns.
    let old = unsafe current
    unsafe current = value
    unsafe subscribers.forEach { entry in
      // A subscriber that is removed during this delivery stays in the list until the delivery ends.
      guard !entry.subscription.isClosed else { return true }
      // SAFETY: a broadcast adds only subscribers of its own type.
      unsafe unsafeDowncast(entry, to: Subscriber<Value>.self).onNext(value)
      return true
    }
    withExtendedLifetime(old) {}
  }

  @inlinable func deliver(_ completion: Completion) {
    unsafe self.completion = completion
    unsafe subscribers.forEach { subscriber in
      guard subscriber.subscription.close() else { return true }
      subscriber.end(completion)
      subscriber.subscription.disconnect(from: self)
      return true
    }
    // The subscribers are released when this method returns, because a release may run code that uses the
    // list.
    let released = unsafe subscribers
    unsafe subscribers = SubscriberList()
    withExtendedLifetime(released) {}
  }

  @inlinable func register(_ observer: Observer<Value>) {
    if let rules, rules.capacity != nil {
      for value in unsafe rules.history.all { observer.next(value) }
    } else if replaysNewest, case .some(let value) = unsafe current {
      observer.next(value)
    }
    if let completion = unsafe completion {
      observer.end(completion)
    } else if observer.isActive {
      unsafe observer.subscription.conflates = observer.conflates
      unsafe subscribers.append(Subscriber<Value>.make(observer))
      // The subscription removes the subscriber again if it has ended in the meantime.
      return observer.subscription.add(self)
    }
    if !observer.conflates { synchronized { unsafe nonConflatingCount -= 1 } }
  }

  @inlinable func remove(_ subscription: Subscription) {
    // The subscriber is released when this method returns, after the change of the list.
    let subscriber = unsafe subscribers.remove(at: subscription.position)
    withExtendedLifetime(subscriber) {}
  }

  @usableFromInline func removeSubscribers() {
    // Each removal is a step that is queued behind this one.
    unsafe subscribers.forEach { subscriber in
      subscriber.subscription.remove()
      return true
    }
  }
}

public import SimpleEvents

/// The subscribers of a broadcast. The steps of the broadcast use the list, one at a time.
///
/// The list is not generic over the values, so that one compiled list serves all broadcasts.
@usableFromInline typealias SubscriberList = EntryList<Subscription, EntrySlots<Subscription>>

/// A step of a broadcast.
@frozen @usableFromInline enum BroadcastStep<Value> {
  case next(Value)
  case end(Completion)
  /// Indirect, so that a queued value takes no more room than it needs (V3).
  indirect case add(Observer<Value>, Replay<Value>)
  case remove(Subscription)
  case removeAll
}

/// The events that a new subscriber receives first.
@frozen @usableFromInline struct Replay<Value> {
  @usableFromInline let value: Value?
  @usableFromInline let completion: Completion?

  @inlinable init(value: Value?, completion: Completion?) {
    self.value = value
    self.completion = completion
  }
}

/// The values that a broadcast replays.
@frozen @usableFromInline enum ReplayKind: UInt8 {
  case none
  case newest
  /// The history that the details keep.
  case history
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
final class Broadcast<Value>: ValueQueue<BroadcastStep<Value>, Value?>, @unchecked Sendable {
  // SAFETY: the proof of the superclass holds.

  // SAFETY: the steps of the queue use the list, one at a time, and call no code of the user during a change.
  @exclusivity(unchecked) @usableFromInline var subscribers: SubscriberList = SubscriberList()

  /// - Parameters:
  ///   - initial: The first value; nil if there is none.
  ///   - replaysNewest: Whether a new subscriber receives the newest value first.
  @inlinable init(initial: Value? = nil, replaysNewest: Bool) {
    super.init(initial, replay: replaysNewest ? .newest : .none)
  }

  /// - Parameters:
  ///   - initial: The value at the beginning, if any.
  ///   - rules: The details. Their rules select the values that are replayed and delivered.
  @inlinable init(initial: Value? = nil, rules: BroadcastDetails<Value>) {
    if case .some(let initial) = initial { unsafe rules.history.append(initial) }
    super.init(
      initial, replay: .history, nonConflatingCount: rules.capacity > 1 ? 1 : 0, details: rules)
  }

  /// The value that was sent last, whether it has been delivered yet or not.
  @inlinable var newest: Value? {
    var newest: Value?
    synchronized { unsafe newest = latest }
    return newest
  }

  /// Sends a value after all earlier values.
  ///
  /// - Parameters:
  ///   - value: The value to send.
  ///   - source: The subscription from which the value comes; nil if there is none. Values from a closed
  ///     subscription are dropped. The check is made under the lock. If a subscriber is added after the
  ///     source was closed, all values that were accepted from the source therefore come before that
  ///     subscriber in the queue.
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
        guard unsafe !isOver else { return false }
        unsafe isOver = true
        if case .failed(let error) = completion { unsafe broadcastDetails.failure = error }
        return true
      }
    ) { deliver(completion) }
  }

  /// Adds an observer after it has received the replayed values.
  @inlinable func add(_ observer: Observer<Value>) {
    var replayed = Replay<Value>(value: nil, completion: nil)
    submit(
      .add(observer, replayed),
      if: {
        // Steps are performed in the order of the queue. When this step is performed, the value and the end
        // that are read here have been delivered.
        replayed = unsafe Replay(value: replay == .newest ? latest : nil, completion: completion)
        if !observer.conflates { unsafe nonConflatingCount += 1 }
        return true
      }
    ) { register(observer, replayed) }
  }

  /// The end that was sent, whether it has been delivered yet or not. Used under the lock.
  @inlinable var completion: Completion? {
    guard unsafe isOver else { return nil }
    guard unsafe details != nil, let failure = unsafe broadcastDetails.failure else { return .finished }
    return .failed(failure)
  }

  /// The details. If there are none, the access creates them. Used under the lock.
  @inlinable var broadcastDetails: BroadcastDetails<Value> {
    // SAFETY: the details always have this type. Either `makeDetails()` creates them, or an initialiser
    // receives them.
    unsafe unsafeDowncast(presentDetails.takeUnretainedValue(), to: BroadcastDetails<Value>.self)
  }

  @usableFromInline override func makeDetails() -> StepQueueDetails<BroadcastStep<Value>> {
    BroadcastDetails()
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

  /// Removes the subscribers that were added before this call. The values that were sent before this call are
  /// delivered first.
  func removeAll() { submit(.removeAll) { removeSubscribers() } }

  @inlinable @inline(never) override func drain() { drain { [self] in perform($0) } }

  @inlinable func perform(_ step: BroadcastStep<Value>) {
    switch step {
    case .next(let value): deliver(value)
    case .end(let completion): deliver(completion)
    case .add(let observer, let replayed): register(observer, replayed)
    case .remove(let subscription): remove(subscription)
    case .removeAll: removeSubscribers()
    }
  }

  @inlinable @inline(__always) func deliver(_ value: Value) {
    // The details are read without the lock, because a broadcast with rules keeps the details of its
    // initialiser.
    if replay == .history, !broadcastDetails.admit(value) { return }
    unsafe subscribers.forEach { subscription in
      // A subscriber that is removed during this delivery stays in the list until the delivery ends.
      guard !subscription.isClosed else { return true }
      // SAFETY: a broadcast sets the receivers of its subscribers; see `Receiver`.
      // NB: any other cast retains the closure's captures for the call.
      let receiver = unsafe Unmanaged.passUnretained(subscription).toOpaque()
      unsafe Unmanaged<Receiver<Value>>.fromOpaque(receiver)._withUnsafeGuaranteedRef { $0.onNext(value) }
      return true
    }
  }

  @inlinable func deliver(_ completion: Completion) {
    unsafe subscribers.forEach { subscription in
      guard subscription.close() else { return true }
      subscription.receive(completion)
      subscription.disconnect(from: self)
      return true
    }
    var released = unsafe subscribers
    unsafe subscribers = SubscriberList()
    released.forEach { subscription in
      subscription.releaseClosures()
      return true
    }
    // The iteration retains nothing, and after the change above only this variable holds the subscriptions.
    withExtendedLifetime(released) {}
  }

  @inlinable func register(_ observer: Observer<Value>, _ replayed: Replay<Value>) {
    if replay == .history {
      for value in unsafe broadcastDetails.history.all { observer.next(value) }
    } else if case .some(let value) = replayed.value {
      observer.next(value)
    }
    if let completion = replayed.completion {
      observer.end(completion)
    } else if observer.isActive {
      observer.subscription.receive(as: observer)
      unsafe subscribers.append(observer.subscription)
      // This call removes the subscriber again if the subscription has ended in the meantime.
      return observer.subscription.add(self)
    }
    if !observer.conflates { synchronized { unsafe nonConflatingCount -= 1 } }
  }

  @inlinable func remove(_ subscription: Subscription) {
    _ = unsafe subscribers.remove(at: subscription.position)
    // The list changes first, because a release of the closures may run code that uses the broadcast.
    subscription.releaseClosures()
  }

  @usableFromInline func removeSubscribers() {
    // Each removal is a step that is queued behind this one.
    unsafe subscribers.forEach { subscription in
      subscription.remove()
      return true
    }
  }
}

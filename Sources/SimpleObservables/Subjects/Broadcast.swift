public import SimpleEvents

/// A step of a broadcast.
@frozen
@usableFromInline
enum BroadcastStep<Value> {
  case next(Value)
  case end(Completion)
  case add(Observer<Value>)
  case remove(Subscription)
  case removeAll
}

/// The engine of every subject: a line in which everything waits its turn, and a list of subscribers.
///
/// Values, the end, new subscribers and removals are steps of one line. So each subscriber joins at one point of the
/// sequence: earlier values are replayed, once, and later ones are delivered.
///
/// Subscribers are called in the order they were added (H1). One that is added or removed during a delivery joins or leaves
/// the list after it; a removed one is not called any more (H3).
@_fixed_layout
@usableFromInline
final class Broadcast<Value>: SerialLine<BroadcastStep<Value>>, @unchecked Sendable {
  // SAFETY: as its superclass.

  // SAFETY: the lock guards these, so no two accesses overlap. A check of that at run time would cost as much as the
  // lock, for each value.
  @exclusivity(unchecked) @usableFromInline var latest: Value?
  @exclusivity(unchecked) @usableFromInline var isOver: Bool = false
  /// The number of subscribers that need all values, those included whose addition waits. While there is none, a value that
  /// waits may be replaced by a newer one (V3). At least one where several values are replayed.
  @exclusivity(unchecked) @usableFromInline var thorough: Int32

  // SAFETY: the performer of the line uses these, one thread at a time, and calls no code of the user during an access.
  /// Whether the newest value is replayed.
  @usableFromInline let replaysNewest: Bool
  /// The value that was delivered last.
  @exclusivity(unchecked) @usableFromInline var current: Value?
  @exclusivity(unchecked) @usableFromInline var completion: Completion?
  @exclusivity(unchecked) @usableFromInline var subscribers: SubscriberList = SubscriberList()
  /// The rules that most subjects do without.
  @usableFromInline let rules: BroadcastRules<Value>?

  /// - Parameters:
  ///   - initial: The value that is there from the beginning, if any.
  ///   - replaysNewest: Whether a new subscriber receives the newest value first.
  ///   - rules: Further rules.
  @inlinable
  init(initial: Value? = nil, replaysNewest: Bool, rules: BroadcastRules<Value>? = nil) {
    unsafe latest = initial
    unsafe current = initial
    self.replaysNewest = replaysNewest
    self.rules = rules
    unsafe thorough = rules?.capacity == nil ? 0 : 1
    super.init()
  }

  @inlinable
  deinit { unsafe subscribers.releaseAll() }

  /// The value that was sent last, whether it has been delivered yet or not.
  @inlinable var newest: Value? {
    var newest: Value?
    performer.withLock { _ in unsafe newest = latest }
    return newest
  }

  /// Sends a value, after all that wait.
  ///
  /// - Parameter source: The subscription that the value comes from, if any. A value of a closed one is dropped. That is asked
  ///   under the lock of the line, so a value that is admitted is in line before any subscriber that is added after the
  ///   closing.
  @inlinable
  func send(_ value: Value, from source: Subscription? = nil) {
    // These are released when this returns: after the lock.
    var (old, replaced): (Value?, Waiting?)
    let isPerformer = performer.withLock { performer in
      if let source, source.isClosed { return false }
      guard unsafe !isOver else { return false }
      unsafe old = latest
      unsafe latest = value
      return unsafe enter(&performer, replacing: &replaced, isReplaceable: thorough == 0, .next(value))
    }
    if isPerformer {
      deliver(value)
      if !departs() { resume() }
    }
    withExtendedLifetime((old, replaced)) {}
  }

  /// Ends the sequence, after all values that wait.
  @inlinable
  func end(_ completion: Completion) {
    let isPerformer = performer.withLock { performer in
      guard unsafe !isOver else { return false }
      unsafe isOver = true
      return enterIdle(&performer) || wait(&performer, .end(completion))
    }
    guard isPerformer else { return }
    deliver(completion)
    if !departs() { resume() }
  }

  /// Adds an observer, after it has received the values to replay.
  @inlinable
  func add(_ observer: Observer<Value>) {
    let isPerformer = performer.withLock { performer in
      if !observer.conflates { unsafe thorough += 1 }
      return enterIdle(&performer) || wait(&performer, .add(observer))
    }
    guard isPerformer else { return }
    register(observer)
    if !departs() { resume() }
  }

  /// Removes a subscriber now, or after the delivery in progress.
  @inlinable
  override func disconnect(_ subscription: Subscription) {
    // Released when this returns: after the lock.
    var subscriber: SubscriberEntry?
    let isPerformer = performer.withLock { performer in
      let isPerformer = enterIdle(&performer) || wait(&performer, .remove(subscription), isUrgent: true)
      if isPerformer { subscriber = take(subscription) }
      return isPerformer
    }
    if isPerformer && !departs() { resume() }
    withExtendedLifetime(subscriber) {}
  }

  /// Removes the subscribers that were added before, after the values that were sent before.
  func removeAll() {
    guard performer.withLock({ enterIdle(&$0) || wait(&$0, .removeAll) }) else { return }
    removeSubscribers()
    if !departs() { resume() }
  }

  @inlinable @inline(never)
  func resume() { performWaiting(to: { perform($0) }, resume: { [self] in resume() }) }

  @inlinable
  func perform(_ step: BroadcastStep<Value>) {
    switch step {
    case .next(let value): deliver(value)
    case .end(let completion): deliver(completion)
    case .add(let observer): register(observer)
    case .remove(let subscription): remove(subscription)
    case .removeAll: removeSubscribers()
    }
  }

  @inlinable @inline(__always)
  func deliver(_ value: Value) {
    if let rules, unsafe !rules.admit(value, after: current) { return }
    // The old value is released when this returns.
    let old = unsafe current
    unsafe current = value
    unsafe subscribers.forEach { entry in
      // Asked, because a removal during this delivery has not taken the subscriber off the list.
      guard !entry.subscription.isClosed else { return }
      // SAFETY: a broadcast adds subscribers of its own type only.
      unsafe unsafeDowncast(entry, to: Subscriber<Value>.self).onNext(value)
    }
    withExtendedLifetime(old) {}
  }

  @inlinable
  func deliver(_ completion: Completion) {
    unsafe self.completion = completion
    unsafe subscribers.forEach { subscriber in
      guard subscriber.subscription.close() else { return }
      subscriber.end(completion)
      subscriber.subscription.disconnect(from: self)
    }
    unsafe subscribers.releaseAll()
  }

  @inlinable
  func register(_ observer: Observer<Value>) {
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
      // Removes the subscriber again if the subscription has ended meanwhile.
      return observer.subscription.add(self)
    }
    if !observer.conflates { performer.withLock { _ in unsafe thorough -= 1 } }
  }

  @inlinable
  func remove(_ subscription: Subscription) {
    let subscriber = performer.withLock { _ in take(subscription) }
    withExtendedLifetime(subscriber) {}
  }

  /// Takes a subscriber off the list, for the performer to release after the lock. Called under it.
  @inlinable
  func take(_ subscription: Subscription) -> SubscriberEntry? {
    let subscriber = unsafe subscribers.remove(subscription)
    if unsafe subscriber != nil && !subscription.conflates { unsafe thorough -= 1 }
    return subscriber
  }

  @usableFromInline
  func removeSubscribers() {
    // Each removal is a step that waits for the end of this one.
    unsafe subscribers.forEach { $0.subscription.remove() }
  }
}

/// The rules of a broadcast that compares values, or that replays several.
@_fixed_layout
@usableFromInline
final class BroadcastRules<Value> {
  /// How many values to replay; nil where that is at most one.
  @usableFromInline let capacity: Int?
  /// Whether two values are the same, so that the second one is not delivered.
  @usableFromInline let isSame: ((Value, Value) -> Bool)?
  /// The values to replay.
  ///
  /// SAFETY: the performer of the line uses it, and calls no code of the user during an access.
  @exclusivity(unchecked) @usableFromInline var history: Fifo<Value> = Fifo()

  @inlinable
  init(capacity: Int? = nil, isSame: ((Value, Value) -> Bool)? = nil) {
    self.capacity = capacity
    self.isSame = isSame
  }

  /// Takes in a value; returns whether it is delivered.
  @usableFromInline
  func admit(_ value: Value, after old: Value?) -> Bool {
    if let isSame, case .some(let old) = old, isSame(old, value) { return false }
    if let capacity {
      unsafe history.append(value)
      // Released when this returns.
      let dropped = unsafe history.count > capacity ? history.popFirst() : nil
      withExtendedLifetime(dropped) {}
    }
    return true
  }
}

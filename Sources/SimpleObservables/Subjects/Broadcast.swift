public import SimpleEvents

/// What every subject is made of: a line in which everything waits its turn, and an event that fans out.
///
/// Values, the end and new subscribers are steps of one line. So each subscriber joins at one point of the
/// sequence: what came before it is replayed, once, and what comes after it is delivered.
///
/// The event gives the order and the rules of removal (H1, H3). It is triggered by the performer of the
/// line only, never nested, and says what the slot holds.
@_fixed_layout
@usableFromInline
final class Broadcast<Value> {
  @frozen
  @usableFromInline
  enum Step {
    case next(Value)
    case end(Completion)
    case add(Observer<Value>)
  }

  @usableFromInline let line: SerialLine<Step> = SerialLine()
  @usableFromInline let event: SimpleEvent
  @usableFromInline let capacity: Int
  @usableFromInline let isSame: ((Value, Value) -> Bool)?

  // SAFETY: both are used under the line's lock only, so no two accesses overlap. A check of that at run time
  // would cost as much as the lock, for each value.
  @exclusivity(unchecked) @usableFromInline var latest: Value?
  @exclusivity(unchecked) @usableFromInline var isOver: Bool = false

  @usableFromInline let slot: Slot<Value> = Slot()
  /// The values to replay, where there can be more than the one in the slot.
  ///
  /// SAFETY: only the line's performer uses it, and calls no code of the user during an access.
  @exclusivity(unchecked) @usableFromInline var history: Fifo<Value> = Fifo()

  /// - Parameters:
  ///   - initial: The value that is there from the beginning, if any.
  ///   - capacity: How many values to replay to a new subscriber.
  ///   - isSame: Tells a value that is not worth a delivery; called with the old and the new one.
  @inlinable
  init(
    initial: Value? = nil, capacity: Int, label: String, isSame: ((Value, Value) -> Bool)? = nil
  ) {
    unsafe latest = initial
    slot.value = initial
    self.capacity = capacity
    self.isSame = isSame
    event = SimpleEvent(label: label)
  }

  /// The value that was sent last, whether it has been delivered yet or not.
  @inlinable var newest: Value? {
    var newest: Value?
    line.isBusy.withLock { _ in unsafe newest = latest }
    return newest
  }

  @inlinable
  func send(_ value: Value) {
    // An old value is let go when this returns: after the lock.
    var old: Value?
    // NB: a closure and not the method itself, here and below: that would be retained and released each time.
    line.submit(.next(value), if: { admit(value, &old) }, to: { perform($0) })
  }

  /// Sends a value, unless the subscription that it comes from has been closed.
  ///
  /// That is asked under the lock of the line, so a value that is admitted stands in line before any subscriber that is added
  /// after the closing.
  func send(_ value: Value, from subscription: Subscription) {
    var old: Value?
    line.submit(
      .next(value), if: { !subscription.isClosed && admit(value, &old) }, to: { perform($0) })
  }

  @inlinable
  func admit(_ value: Value, _ old: inout Value?) -> Bool {
    guard unsafe !isOver else { return false }
    unsafe old = latest
    unsafe latest = value
    return true
  }

  @inlinable
  func end(_ completion: Completion) {
    line.submit(.end(completion), if: { admitEnd() }, to: { perform($0) })
  }

  @inlinable
  func admitEnd() -> Bool {
    defer { unsafe isOver = true }
    return unsafe !isOver
  }

  /// Adds an observer, after replaying to it what there is to replay.
  @inlinable
  func add(_ observer: Observer<Value>) {
    line.submit(.add(observer), to: { perform($0) })
  }

  @inlinable
  func perform(_ step: Step) {
    switch step {
    case .next(let value):
      deliver(value)
    case .end(let completion):
      slot.completion = completion
      event.trigger()
    case .add(let observer):
      replay(to: observer)
      if let completion = slot.completion {
        observer.end(completion)
      } else if observer.isActive {
        register(observer)
      }
    }
  }

  @inlinable
  func deliver(_ value: Value) {
    if let isSame, case .some(let old) = slot.value, isSame(old, value) {
      return
    }
    slot.value = value
    if capacity > 1 {
      unsafe history.append(value)
      if unsafe history.count > capacity {
        _ = unsafe history.popFirst()
      }
    }
    event.trigger()
  }

  @inlinable
  func replay(to observer: Observer<Value>) {
    if capacity > 1 {
      for value in unsafe history.all {
        observer.next(value)
      }
    } else if capacity == 1, case .some(let value) = slot.value {
      observer.next(value)
    }
  }

  @inlinable
  func register(_ observer: Observer<Value>) {
    let token = event.addObserver(at: CallSite()) { [slot] _ in
      if let completion = slot.completion {
        observer.end(completion)
      } else if case .some(let value) = slot.value {
        // Asks whether it is active, because a second removal returns when the first has not reached the event (E5).
        observer.next(value)
      }
    }
    if let token {
      observer.subscription.add(token)
    }
  }
}

/// What a delivery is about. Apart from the broadcast, so that subscribers need not hold that.
@_fixed_layout
@usableFromInline
final class Slot<Value> {
  // SAFETY: one thread at a time uses a slot, and each access has ended before other code runs: the performer
  // of the line writes between deliveries, and subscribers read during one. A check of that at run time would
  // cost as much as the delivery.
  @exclusivity(unchecked) @usableFromInline var storedCompletion: Completion?
  @exclusivity(unchecked) @usableFromInline var storedValue: Value?

  @inlinable var completion: Completion? {
    get { unsafe storedCompletion }
    set { unsafe storedCompletion = newValue }
  }

  @inlinable var value: Value? {
    get { unsafe storedValue }
    set { unsafe storedValue = newValue }
  }

  @inlinable
  init() {}
}

public import SimpleEvents

/// What every subject is made of: a line in which everything waits its turn, and an event that fans out.
///
/// Values, the end and new subscribers are steps of one line. So each subscriber joins at one point of the
/// sequence: what came before it is replayed, once, and what comes after it is delivered.
///
/// The event gives the order and the rules of removal (H1, H3). It is triggered by the performer of the
/// line only, never nested, and says what the slot holds.
@usableFromInline
final class Broadcast<Value> {
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

  // Guarded by the line's lock, which ensures exclusivity.
  @exclusivity(unchecked) @usableFromInline var latest: Value?
  @exclusivity(unchecked) @usableFromInline var isOver: Bool = false

  // Touched by the line's performer only, and each access is over before anybody is called: so exclusivity is
  // unchecked here as well.
  @usableFromInline let slot: Slot<Value> = Slot()
  /// The values to replay, where there can be more than the one in the slot.
  @exclusivity(unchecked) @usableFromInline var history: Fifo<Value> = Fifo()

  /// - Parameters:
  ///   - initial: The value that is there from the beginning, if any.
  ///   - capacity: How many values to replay to a new subscriber.
  ///   - isSame: Tells a value that is not worth a delivery; called with the old and the new one.
  @inlinable
  init(
    initial: Value? = nil, capacity: Int, label: String, isSame: ((Value, Value) -> Bool)? = nil
  ) {
    latest = initial
    slot.value = initial
    self.capacity = capacity
    self.isSame = isSame
    event = SimpleEvent(label: label)
  }

  /// The value that was sent last, whether it has been delivered yet or not.
  @inlinable var newest: Value? {
    var newest: Value?
    line.isBusy.withLock { _ in newest = latest }
    return newest
  }

  @inlinable
  func send(_ value: Value) {
    // An old value is let go when this returns: after the lock.
    var old: Value?
    // NB: a closure and not the method itself, here and below: that would be retained and released each time.
    line.submit(.next(value), if: { admit(value, &old) }, to: { perform($0) })
  }

  @inlinable
  func admit(_ value: Value, _ old: inout Value?) -> Bool {
    guard !isOver else { return false }
    old = latest
    latest = value
    return true
  }

  @inlinable
  func end(_ completion: Completion) {
    line.submit(.end(completion), if: { admitEnd() }, to: { perform($0) })
  }

  @inlinable
  func admitEnd() -> Bool {
    defer { isOver = true }
    return !isOver
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
      history.append(value)
      if history.count > capacity {
        _ = history.popFirst()
      }
    }
    event.trigger()
  }

  @inlinable
  func replay(to observer: Observer<Value>) {
    if capacity > 1 {
      for value in history.all {
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
        // Not asked whether it is active: the event calls nobody who was removed.
        observer.onNext(value)
      }
    }
    if let token {
      observer.subscription.add(token)
    }
  }
}

/// What a delivery is about. Apart from the broadcast, so that subscribers need not hold that.
///
/// NB: exclusivity is unchecked, since each access is over before anything else is done: the performer of
/// the line writes between deliveries, and subscribers copy out during one.
@usableFromInline
final class Slot<Value> {
  @exclusivity(unchecked) @usableFromInline var completion: Completion?
  @exclusivity(unchecked) @usableFromInline var value: Value?

  @inlinable
  init() {}
}

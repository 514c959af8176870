internal import SimpleEvents

/// What every subject is made of: a line in which everything waits its turn, and an event that fans out.
///
/// Values, the end and new subscribers are steps of one line. So each subscriber joins at one point of the
/// sequence: what came before it is replayed, once, and what comes after it is delivered.
///
/// The event gives the order and the rules of removal (H1, H3). It is triggered by the performer of the
/// line only, never nested, and says what the slot holds.
final class Broadcast<Value> {
  private enum Step {
    case next(Value)
    case end(Completion)
    case add(Observer<Value>)
  }

  private let line: SerialLine<Step> = SerialLine()
  private let event: SimpleEvent
  private let capacity: Int
  private let isSame: ((Value, Value) -> Bool)?

  // Guarded by the line's lock.
  private var latest: Value?
  private var isOver: Bool = false

  // Touched by the line's performer only.
  private let slot: Slot<Value> = Slot()
  /// The values to replay, where there can be more than the one in the slot.
  private var history: Fifo<Value> = Fifo()

  /// - Parameters:
  ///   - initial: The value that is there from the beginning, if any.
  ///   - capacity: How many values to replay to a new subscriber.
  ///   - isSame: Tells a value that is not worth a delivery; called with the old and the new one.
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
  var newest: Value? { line.withLock { latest } }

  func send(_ value: Value) {
    // An old value is let go when this returns: after the lock.
    var old: Value?
    line.submit(.next(value), if: { admit(value, &old) }, to: perform)
  }

  private func admit(_ value: Value, _ old: inout Value?) -> Bool {
    guard !isOver else { return false }
    old = latest
    latest = value
    return true
  }

  func end(_ completion: Completion) {
    line.submit(.end(completion), if: { admitEnd() }, to: perform)
  }

  private func admitEnd() -> Bool {
    defer { isOver = true }
    return !isOver
  }

  /// Adds an observer, after replaying to it what there is to replay.
  func add(_ observer: Observer<Value>) {
    line.submit(.add(observer), to: perform)
  }

  private func perform(_ step: Step) {
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

  private func deliver(_ value: Value) {
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

  private func replay(to observer: Observer<Value>) {
    if capacity > 1 {
      for value in history.all {
        observer.next(value)
      }
    } else if capacity == 1, case .some(let value) = slot.value {
      observer.next(value)
    }
  }

  private func register(_ observer: Observer<Value>) {
    let token = event.addObserver(at: RegistrationSite(isolation: nil)) { [slot] _ in
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
private final class Slot<Value> {
  var completion: Completion?
  var value: Value?
}

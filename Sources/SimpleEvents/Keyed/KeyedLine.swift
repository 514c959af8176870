/// The keys of one loop whose runs are due, in the order in which they became due, and the keys that wait for
/// a retry. For use behind the lock of the object.
///
/// A key has at most one of these places, until a task takes the key or nothing is pending for it any longer.
/// Places are in a dictionary of their own, because an object whose deliveries are not runs has none.
@usableFromInline struct KeyedLine<Key: Hashable> {
  /// The keys in line, at instants that are equal: they come out in the order in which they were added.
  var ready: TimeQueue<Key> = TimeQueue()
  /// The keys that wait, at the instants of their retries.
  var retries: TimeQueue<Key> = TimeQueue()
  /// The place of each key in one of the two.
  var tickets: [Key: TimeTicket] = [:]

  /// Moves a key after a change of its gate.
  mutating func place(_ gate: inout KeyGate, _ key: Key, was before: KeyGate) {
    guard gate.flags != before.flags else { return }
    if before.isWaiting && !gate.isWaiting, let ticket = remove(key) { _ = retries.take(ticket) }
    guard gate.flags.contains(.starting) else { return }
    if !before.flags.contains(.starting) {
      join(key, at: Self.back)
    } else if !gate.isDueOrNext, let ticket = remove(key) {
      // A run that a task has been asked for keeps the flag until that task comes.
      _ = ready.take(ticket)
      gate.flags.remove(.starting)
    }
  }

  /// The instant of keys that join the line.
  static var back: EventInstant { EventInstant(nanoseconds: 0) }
  /// The instant of keys that come before all others.
  static var front: EventInstant { EventInstant(nanoseconds: -1) }

  mutating func join(_ key: Key, at instant: EventInstant) { tickets[key] = ready.push(key, at: instant) }

  /// Lets a key wait.
  mutating func wait(_ key: Key, until instant: EventInstant) {
    tickets[key] = retries.push(key, at: instant)
  }

  // NB: not one method with a key path, which code that is not specialised makes anew for each use.
  /// Takes the first key in line.
  mutating func takeReady() -> Key? { leave(Self.takeFirst(of: &ready, until: .distantFuture)) }

  /// Takes the first key that waits, if its instant is not later than another one.
  mutating func takeRetry(until instant: EventInstant) -> Key? {
    leave(Self.takeFirst(of: &retries, until: instant))
  }

  private static func takeFirst(of queue: inout TimeQueue<Key>, until instant: EventInstant) -> Key? {
    guard let item = queue.pop(until: instant) else { return nil }
    return queue.take(item.ticket)
  }

  private mutating func leave(_ key: Key?) -> Key? {
    if let key { _ = remove(key) }
    return key
  }

  /// The number of keys that have memory.
  var capacity: Int { max(tickets.capacity, ready.slots.count, retries.slots.count) }

  private mutating func remove(_ key: Key) -> TimeTicket? { tickets.removeValue(forKey: key) }

  /// Gives back the memory of many keys that have gone.
  @usableFromInline mutating func shrink() {
    let left = self
    self = KeyedLine()
    for (instant, key) in left.ready.sorted { join(key, at: instant) }
    for (instant, key) in left.retries.sorted { wait(key, until: instant) }
  }
}

extension KeyGate {
  /// Whether a delivery is due, or a run that follows another one or waits for a retry.
  var isDueOrNext: Bool { flags.contains(.due) || flags.contains(.next) }

  /// Whether the run of the key waits for a retry.
  var isWaiting: Bool {
    flags.contains(.next) && !flags.contains(.running) && !flags.contains(.starting)
  }
}

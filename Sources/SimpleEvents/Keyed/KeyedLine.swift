/// The keys of one loop whose runs are due, in the order in which they became due, and the keys that wait for
/// a retry. For use behind the lock of the object.
///
/// A key has at most one of these places, until a task takes the key or nothing is pending for it any longer.
/// Places are in a dictionary of their own, because an object whose deliveries are not runs has none.
struct KeyedLine<Key: Hashable> {
  /// The keys in line, at instants that are equal: they come out in the order in which they were added.
  var ready: TimeQueue<Key> = TimeQueue()
  /// The keys that wait, at the instants of their retries.
  var retries: TimeQueue<Key> = TimeQueue()
  /// The place of each key in one of the two.
  var tickets: [Key: TimeTicket] = [:]

  /// Moves a key after a change of its gate.
  mutating func place(_ gate: inout KeyGate, _ key: Key, was before: KeyGate) {
    guard gate.flags != before.flags else { return }
    if before.isWaiting && !gate.isWaiting { leave(\.retries, key) }
    guard gate.flags.contains(.starting) else { return }
    if !before.flags.contains(.starting) {
      join(key, at: Self.back)
    } else if !gate.isDueOrNext && leave(\.ready, key) {
      // A run that a task has been asked for keeps the flag until that task comes.
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

  @discardableResult private mutating func leave(
    _ queue: WritableKeyPath<Self, TimeQueue<Key>>, _ key: Key
  ) -> Bool {
    guard let ticket = remove(key) else { return false }
    return self[keyPath: queue].take(ticket) != nil
  }

  /// Takes the first key of a queue, if its instant is not later than another one.
  mutating func take(_ queue: WritableKeyPath<Self, TimeQueue<Key>>, until instant: EventInstant) -> Key? {
    guard let item = self[keyPath: queue].pop(until: instant) else { return nil }
    let key = self[keyPath: queue].take(item.ticket)
    if let key { _ = remove(key) }
    return key
  }

  private mutating func remove(_ key: Key) -> TimeTicket? {
    defer { if tickets.isEmpty && tickets.capacity > 64 { tickets = [:] } }
    return tickets.removeValue(forKey: key)
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

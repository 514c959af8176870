/// The keys of one loop whose runs are due, in the order in which they became due, and the keys that wait for
/// a retry. The lock of the loop guards them.
///
/// A key has at most one place in the two queues, until a task takes the key or no run of the key is pending.
/// The places are in a separate dictionary, because only an object whose deliveries are runs needs them.
@usableFromInline struct KeyedLine<Key: Hashable> {
  /// The keys in line. Their instants are equal, so that they are taken in the order in which they were
  /// added.
  var ready: TimeQueue<Key> = TimeQueue()
  /// The keys that wait for a retry, at the instants of the retries.
  var retries: TimeQueue<Key> = TimeQueue()
  /// The place of each key in one of the two queues.
  var tickets: [Key: TimeTicket] = [:]

  /// Moves a key after a change of its gate.
  mutating func place(_ gate: inout KeyGate, _ key: Key, was before: KeyGate) {
    guard gate.flags != before.flags else { return }
    if before.isWaiting && !gate.isWaiting, let ticket = remove(key) { _ = retries.take(ticket) }
    guard gate.flags.contains(.starting) else { return }
    if !before.flags.contains(.starting) {
      join(key, at: Self.back)
    } else if !gate.isDueOrNext, let ticket = remove(key) {
      // The run is no longer due. If a task has taken the key, the flag stays until that task comes.
      _ = ready.take(ticket)
      gate.flags.remove(.starting)
    }
  }

  /// The instant of keys that join the end of the line.
  static var back: EventInstant { EventInstant(nanoseconds: 0) }
  /// The instant of keys that come before all other keys.
  static var front: EventInstant { EventInstant(nanoseconds: -1) }

  mutating func join(_ key: Key, at instant: EventInstant) { tickets[key] = ready.push(key, at: instant) }

  /// Makes a key wait for its retry.
  mutating func wait(_ key: Key, until instant: EventInstant) {
    tickets[key] = retries.push(key, at: instant)
  }

  // NB: these are two methods, and not one with a key path. Code that is not specialised would create the key
  // path anew for each use.
  /// Takes the first key in line.
  mutating func takeReady() -> Key? { leave(Self.takeFirst(of: &ready, until: .distantFuture)) }

  /// Takes the first key that waits for a retry, if the retry is not later than an instant.
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

  /// The number of keys for which memory is allocated.
  var capacity: Int { max(tickets.capacity, ready.slots.count, retries.slots.count) }

  private mutating func remove(_ key: Key) -> TimeTicket? { tickets.removeValue(forKey: key) }

  /// Releases the memory of many removed keys.
  @usableFromInline mutating func shrink() {
    let left = self
    self = KeyedLine()
    for (instant, key) in left.ready.sorted { join(key, at: instant) }
    for (instant, key) in left.retries.sorted { wait(key, until: instant) }
  }
}

extension KeyGate {
  /// Whether a delivery is due, or a run follows another run or a wait for a retry.
  var isDueOrNext: Bool { flags.contains(.due) || flags.contains(.next) }

  /// Whether the run of the key waits for a retry.
  var isWaiting: Bool {
    flags.contains(.next) && !flags.contains(.running) && !flags.contains(.starting)
  }
}

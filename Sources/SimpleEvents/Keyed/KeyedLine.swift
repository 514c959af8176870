/// The keys of one loop whose runs are due, in the order in which they became due, and the keys that wait for
/// a retry. The lock of the loop guards them.
///
/// A key is in at most one of the two queues. A key whose retry becomes due moves to the other queue. A key
/// leaves the line when a task takes the key, or when no run of the key is pending. The tickets are in a
/// dictionary, and not in the gates, because only an object whose deliveries are runs needs them.
// NB: the methods are inlinable, as in `TimeQueue`.
@frozen @usableFromInline struct KeyedLine<Key: Hashable> {
  /// The keys whose runs are due. Keys that join the end of the line have equal instants, so they are taken
  /// in the order in which they were added.
  @usableFromInline var ready: TimeQueue<Key> = TimeQueue()
  /// The keys that wait for a retry, at the instants of the retries.
  @usableFromInline var retries: TimeQueue<Key> = TimeQueue()
  /// The place of each key in one of the two queues.
  @usableFromInline var tickets: [Key: TimeTicket] = [:]

  @inlinable init() {}

  /// Moves a key after a change of its gate.
  @inlinable mutating func place(_ gate: inout KeyGate, _ key: Key, was before: KeyGate) {
    if before.flags.isWaiting && !gate.flags.isWaiting, let ticket = remove(key) { _ = retries.take(ticket) }
    guard gate.flags.contains(.starting) else { return }
    if !before.flags.contains(.starting) {
      join(key, at: Self.back)
    } else if !gate.flags.isDueOrNext, let ticket = remove(key) {
      // The run is no longer due. If a task has taken the key, `starting` stays set until the task begins the
      // run or gives the key back.
      _ = ready.take(ticket)
      gate.flags.remove(.starting)
    }
  }

  /// The instant of keys that join the end of the line.
  @inlinable static var back: EventInstant { EventInstant(nanoseconds: 0) }
  /// The instant of keys that come before all other keys.
  @inlinable static var front: EventInstant { EventInstant(nanoseconds: -1) }

  @inlinable mutating func join(_ key: Key, at instant: EventInstant) {
    tickets[key] = ready.push(key, at: instant)
  }

  /// Makes a key wait for its retry.
  @inlinable mutating func wait(_ key: Key, until instant: EventInstant) {
    tickets[key] = retries.push(key, at: instant)
  }

  /// Takes the first key in line.
  @inlinable mutating func takeReady() -> Key? {
    ready.sort()
    return leave(ready.pop(until: .distantFuture).flatMap { ready.take($0.ticket) })
  }

  /// Takes the first key that waits for a retry, if the retry is not later than an instant.
  @inlinable mutating func takeRetry(until instant: EventInstant) -> Key? {
    leave(retries.pop(until: instant).flatMap { retries.take($0.ticket) })
  }

  @inlinable mutating func leave(_ key: Key?) -> Key? {
    if let key { _ = remove(key) }
    return key
  }

  /// The number of keys for which memory is allocated.
  var capacity: Int { max(tickets.capacity, ready.slots.count, retries.slots.count) }

  @inlinable mutating func remove(_ key: Key) -> TimeTicket? { tickets.removeValue(forKey: key) }

  /// Releases the memory of many removed keys.
  @inlinable mutating func shrink() {
    let left = self
    self = KeyedLine()
    for (instant, key) in left.ready.sorted { join(key, at: instant) }
    for (instant, key) in left.retries.sorted { wait(key, until: instant) }
  }
}

/// The pending signals of each key of one object, for a monitor. The lock of the object guards them.
@usableFromInline struct KeyedSignals<Key: Hashable> {
  let source: CoalescingSource
  private var entries: [Key: (signals: SourceState.Signals, ticket: TimeTicket)] = [:]
  /// The first signal of each key, in order.
  private var firsts: TimeQueue<Key> = TimeQueue()
  private var count: Int = 0
  /// The reasons for the runs that are due, if deliveries are runs.
  @usableFromInline var causes: [Key: CoalescingDelivery.Cause] = [:]

  init(_ source: CoalescingSource) { self.source = source }

  /// Counts an accepted signal of a key.
  mutating func note(_ key: Key, at now: EventInstant) {
    add(SourceState.Signals(count: 1, first: now), of: key)
    source.noteSignal(at: now)
  }

  /// Records the start of the delivery of a key.
  ///
  /// - Parameters:
  ///   - rest: The number of elements that the delivery leaves.
  ///   - id: The number of the run; zero if deliveries are not runs.
  @usableFromInline mutating func begin(
    _ key: Key, _ cause: CoalescingDelivery.Cause, at now: EventInstant, leaving rest: Int = 0,
    run id: Int = 0
  ) {
    var signals = remove(key)
    // The clock was read before the lock was taken. A signal may have come in between.
    let start = max(now, signals.first ?? now)
    let taken = signals.take(at: start, leaving: rest)
    if signals.count > 0 { add(signals, of: key) }
    source.begin(cause, taken, at: start, leaving: all, run: id)
  }

  /// Takes the signals of a key, so that the caller can discard them; returns their number.
  @usableFromInline mutating func take(_ key: Key) -> Int {
    _ = remove(key)
    return source.takePending(leaving: all)
  }

  /// Takes the signals of all keys, so that the caller can discard them; returns their number.
  mutating func takeAll() -> Int {
    self = KeyedSignals(source)
    return source.takePending()
  }

  /// The signals of all keys together.
  private var all: SourceState.Signals {
    mutating get { SourceState.Signals(count: count, first: firsts.first()) }
  }

  /// The key of the first signal; nil if no signal is pending.
  var oldestKey: Key? {
    mutating get { firsts.firstItem().flatMap { firsts.slots[$0.ticket.slot].element } }
  }

  /// The number of keys for which memory is allocated.
  var capacity: Int { max(entries.capacity, firsts.slots.count, causes.capacity) }

  private mutating func add(_ signals: SourceState.Signals, of key: Key) {
    count += signals.count
    if entries[key] == nil, let first = signals.first {
      entries[key] = (SourceState.Signals(first: first), firsts.push(key, at: first))
    }
    entries[key]?.signals.count += signals.count
  }

  /// Releases the memory of many removed keys.
  @usableFromInline mutating func shrink() {
    let left = self
    self = KeyedSignals(source)
    for (_, key) in left.firsts.sorted {
      if let signals = left.entries[key]?.signals { add(signals, of: key) }
    }
    for (key, cause) in left.causes { causes[key] = cause }
  }

  private mutating func remove(_ key: Key) -> SourceState.Signals {
    causes[key] = nil
    guard let (signals, ticket) = entries.removeValue(forKey: key) else { return SourceState.Signals() }
    _ = firsts.take(ticket)
    count -= signals.count
    return signals
  }
}

extension KeyedGates {
  /// Counts an accepted signal, if a monitor sees the object.
  @usableFromInline package mutating func note(_ key: Key, at now: EventInstant) {
    if let index = entries.index(forKey: key) { signals?.note(entries[index].key, at: now) }
  }

  /// Adds the counts of keys to the statistics of a monitor.
  ///
  /// - Returns: The statistics, and the key with the first pending signal.
  mutating func addKeys(to statistics: CoalescingStatistics) -> (CoalescingStatistics, oldest: Key?) {
    var statistics = statistics
    statistics.pendingKeyCount = pendingCount
    // After the end of the loop no run is repeated, so no key counts as failing.
    statistics.failingKeyCount = statistics.isEnded ? 0 : failingCount
    return (statistics, signals?.oldestKey)
  }
}

internal import Dispatch
package import SimpleEvents

/// The lines of standard input, collected for the next delivery of each key, in bounded memory.
///
/// A key uses memory while it has lines, and while its lines are dropped, during a run and for the time of
/// `settle` after it. If many keys have lines, the reader waits until some lines were delivered, so that no
/// line is lost.
package final class KeyedLines: Sendable {
  private struct Entry {
    var batch: LineBatch
    /// The position of the key in the order in which the keys got their first lines.
    let place: Int
    /// The number of the latest read that signalled the key.
    private var read: Int = 0

    init(_ batch: LineBatch, place: Int) {
      self.batch = batch
      self.place = place
    }

    /// Adds a line of a read; returns the number of bytes by which the batch has grown, whether the key is to
    /// be signalled, and whether there was memory for the line.
    mutating func add(
      _ line: ArraySlice<UInt8>, isTruncated: Bool, read: Int
    ) -> (growth: Int, isSignal: Bool, hasMemory: Bool) {
      let before = batch.lines.count
      batch.add(line, isTruncated: isTruncated)
      defer { self.read = read }
      return (batch.lines.count - before, self.read < read, !batch.isOutOfMemory)
    }
  }

  private struct State {
    /// The lines of each key that has lines.
    var entries: [LineKey: Entry] = [:]
    /// The number of bytes of all entries.
    var byteCount: Int = 0
    var readCount: Int = 0
    /// The instant until which the lines of a key are dropped. It is in the distant future during a run of
    /// the key.
    var closed: [LineKey: EventInstant] = [:]
    /// The size of `closed` at which entries whose instant has passed are removed.
    var closedLimit: Int = 16
    /// The number of lines that were added to batches.
    var lineCount: Int = 0
    /// The number of lines that were dropped because of a run.
    var settledCount: Int = 0
    /// Whether the reader waits for room.
    var isReaderWaiting: Bool = false
    /// Whether later lines are ignored because the program ends.
    var hasEnded: Bool = false
  }

  private let field: KeyField
  private let settle: Duration?
  private let scheduler: any EventScheduler
  private let empty: LineBatch
  private let keyLimit: Int
  private let byteLimit: Int
  /// Guards the lines that are not delivered yet. Keys are signalled under the lock, so that no other thread
  /// finds lines whose key is not signalled. A signal takes no lock that is held during a delivery.
  private let state: Guarded<State> = Guarded(State())
  /// Signalled when lines were taken while the reader waits.
  private let room: DispatchSemaphore = DispatchSemaphore(value: 0)

  /// Creates a store without lines.
  ///
  /// - Parameters:
  ///   - field: The field of a line that is its key.
  ///   - keeping: The rule for the lines that a batch keeps.
  ///   - delimiter: The last byte of each line.
  ///   - limit: The largest number of bytes of the lines of a batch.
  ///   - settle: The time for which the lines of a key are still dropped after a run of the key. Lines of the
  ///     key during the run are dropped, too. If the time is nil, no line is dropped.
  ///   - keyLimit: The number of keys with lines at which the reader waits. It must be more than twice
  ///     `jobs`. The reader also waits when the lines of all keys have as many bytes as 2 × `jobs` + 16 full
  ///     batches.
  ///   - jobs: The largest number of runs at the same time.
  ///   - scheduler: The scheduler whose clock measures `settle`.
  package init(
    by field: KeyField, keeping: LineBatch.Keeping, delimiter: UInt8, limit: Int, settle: Duration? = nil,
    keyLimit: Int = 10_000, jobs: Int = 1, on scheduler: any EventScheduler
  ) {
    self.field = field
    self.settle = settle
    self.scheduler = scheduler
    self.keyLimit = keyLimit
    empty = LineBatch(keeping: keeping, delimiter: delimiter, limit: limit)
    let batches = 16 + 2 * jobs
    // One more byte per batch, for the delimiter of a line that fills the limit alone.
    byteLimit = limit < .max / batches ? (limit + 1) * batches : .max
  }

  /// The number of keys that have lines.
  package var keyCount: Int { state.withLock { $0.entries.count } }

  /// The number of keys in `closed`. It includes keys whose time has passed and that are not removed yet.
  package var closedCount: Int { state.withLock { $0.closed.count } }

  /// The number of lines that have come so far, without those that were dropped because of a run.
  package var lineCount: Int { state.withLock { $0.lineCount } }

  /// The number of lines that were dropped so far because of a run.
  package var settledCount: Int { state.withLock { $0.settledCount } }

  /// Whether ``take(_:)`` has nothing to return for a key.
  package func isIdle(_ key: LineKey) -> Bool { state.withLock { $0.entries[key] == nil } }

  /// Adds the lines that were read together to the batches of their keys.
  ///
  /// - Parameters:
  ///   - forEach: A function that calls its argument with each line.
  ///   - signal: Called once with each key that has a new line.
  /// - Returns: Whether there was memory for the lines.
  /// - Complexity: O(n) in the bytes of the lines.
  package func add(
    _ forEach: (LineReader.Add) -> Void, signal: (LineKey) -> Void
  ) -> Bool {
    let now = settle.map { _ in scheduler.now }
    return state.withLock { state in
      guard !state.hasEnded else { return true }
      state.readCount += 1
      let read = state.readCount
      var hasMemory = true
      var keys: [LineKey] = []
      forEach { line, isTruncated, _ in
        let key = field.key(of: line)
        if let now, let end = state.closed[key], end > now {
          state.settledCount += 1
          return
        }
        state.lineCount += 1
        let place = state.lineCount
        let change = state.entries[key, default: Entry(empty, place: place)].add(
          line, isTruncated: isTruncated, read: read)
        state.byteCount += change.growth
        hasMemory = hasMemory && change.hasMemory
        if change.isSignal { keys.append(key) }
      }
      for key in keys { signal(key) }
      return hasMemory
    }
  }

  /// Takes the lines of a key, for a run that begins now; nil if the key has none.
  package func take(_ key: LineKey) -> LineBatch? {
    let (batch, isAwaited) = state.withLock { state -> (LineBatch?, Bool) in
      guard let batch = remove(key, from: &state) else { return (nil, false) }
      if settle != nil { state.closed[key] = .distantFuture }
      // The reader continues at half the limits, so that the cost of the checks is amortised. The wait always
      // ends: while the reader waits, only a key with a run in progress can have lines that no delivery
      // takes. The number of these keys is less than half of the limit.
      guard state.isReaderWaiting, isBelowLimits(state, divisor: 2) else { return (batch, false) }
      state.isReaderWaiting = false
      return (batch, true)
    }
    if isAwaited { room.signal() }
    return batch
  }

  /// Records the end of the run for which the lines of a key were taken.
  package func didEndRun(of key: LineKey) {
    guard let settle else { return }
    let now = scheduler.now
    state.withLock { state in
      state.closed[key] = now.advanced(by: settle)
      // Entries whose instant has passed are removed each time the number of entries may have doubled: O(1)
      // amortised.
      guard state.closed.count >= state.closedLimit else { return }
      state.closed = state.closed.filter { $0.value > now }
      state.closedLimit = max(16, 2 * state.closed.count)
    }
  }

  /// Ignores later lines, and returns the lines of all keys in the order in which the keys got their first
  /// lines.
  package func end() -> [(key: LineKey, batch: LineBatch)] {
    let entries = state.withLock { state in
      state.hasEnded = true
      defer { state.entries = [:] }
      return state.entries
    }
    return entries.sorted { $0.value.place < $1.value.place }.map { ($0.key, $0.value.batch) }
  }

  /// Whether the reader may read further. If not, ``waitForRoom()`` waits until there is room again.
  ///
  /// At the limit, the lines of keys for which no delivery will come are dropped. The policy or the mode for
  /// a busy command has ignored these lines.
  ///
  /// - Parameters:
  ///   - isDue: Returns whether a delivery of a key is pending or has begun. Called under the lock.
  ///   - drop: Receives the number of dropped lines.
  package func hasRoom(_ isDue: (LineKey) -> Bool, drop: (Int) -> Void = { _ in }) -> Bool {
    let (hasRoom, dropped) = state.withLock { state -> (Bool, Int) in
      if isBelowLimits(state) { return (true, 0) }
      var dropped = 0
      for key in Array(state.entries.keys) where !isDue(key) {
        dropped += remove(key, from: &state)?.count ?? 0
      }
      state.isReaderWaiting = !isBelowLimits(state)
      return (!state.isReaderWaiting, dropped)
    }
    if dropped > 0 { drop(dropped) }
    return hasRoom
  }

  /// Waits until the keys and the bytes are below half of their limits. Called after ``hasRoom(_:drop:)`` has
  /// returned false.
  package func waitForRoom() { room.wait() }

  private func isBelowLimits(_ state: State, divisor: Int = 1) -> Bool {
    state.entries.count < keyLimit / divisor && state.byteCount < byteLimit / divisor
  }

  private func remove(_ key: LineKey, from state: inout State) -> LineBatch? {
    guard let entry = state.entries.removeValue(forKey: key) else { return nil }
    state.byteCount -= entry.batch.lines.count
    return entry.batch
  }
}

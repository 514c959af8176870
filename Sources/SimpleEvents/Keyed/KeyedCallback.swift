/// A block that runs once for any number of requests, with a window for each key.
///
/// It is a ``CoalescingCallback`` for every user, document or sensor. The program needs no dictionary of
/// timers, from which it would have to remove old keys:
///
/// ```swift
/// let saves = KeyedCallback<Document.ID>(on: .main, policy: .debounce(.seconds(1)), label: "saves") { id in
///   save(id)
/// }
/// saves.schedule(a)
/// saves.schedule(b)  // two saves, a second later
/// ```
///
/// Requests may come from any thread. The block runs on one scheduler, for one key after another in the order
/// in which the keys become due, and never for two keys at the same time. Each run sees everything that was
/// written before the requests that it answers.
///
/// A key takes memory only while it is pending or its window is open. After a million keys, a callback is as
/// small as a new one (K2). One timer serves all keys (K3).
///
/// A key is hashed and compared under a lock. Its `hash(into:)` and `==` must not call this object: such a
/// call stops the program. They must not wait for a lock that another thread holds while it calls this
/// object.
///
/// Keep a reference to the callback, because its deallocation cancels all pending runs. A ``KeyedCollector``
/// is a callback with a payload.
///
/// Contracts: K1 to K3, K6, C1 to C3, C5 to C8, C10, C11, E9, see <doc:Contracts>.
@_fixed_layout public final class KeyedCallback<Key: Hashable & Sendable> {
  @usableFromInline package let keys: KeyedCoalescer<Key, Void>

  // NB: the initialiser is inlined, so that the deliveries are compiled for the type of the keys even if the
  // type of the scheduler is not known.
  /// Creates a callback.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which the block runs, and whose clock measures windows.
  ///   - policy: The rule by which the requests for a key become runs.
  ///   - label: The name of the callback in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: The block to run with a key. If it is isolated to an actor, the scheduler must deliver on
  ///     that actor (E9).
  @inlinable @inline(__always) public init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping @isolated(any) (Key) -> Void
  ) {
    let subject = DiagnosticSubject(
      KeyedCallback.self, label: label, misuse: misuse, fileID: fileID, line: line)
    keys = KeyedCoalescer(
      on: scheduler, policy: policy, fresh: (), subject, isolation: block.isolation,
      serve: KeyedCallback.serve(StoredBlock(block).call))
  }

  @inlinable static func serve(_ block: @escaping (Key) -> Void) -> KeyedCoalescer<Key, Void>.Serve {
    { keys, start in
      keys.serve(start) { _, _ in
      } deliver: { key, _ in
        block(key)
        return 0
      }
    }
  }

  deinit { keys.close() }

  /// The name of the callback in diagnostics.
  public var label: String? { keys.subject.label }

  /// The number of pending keys.
  ///
  /// - Complexity: O(1).
  public var pendingCount: Int { keys.pendingCount }

  /// Whether a run for a key is pending, so that it starts without a further request.
  ///
  /// - Complexity: O(1).
  @inlinable public func isPending(_ key: Key) -> Bool { keys.isPending(key) }

  /// Requests a run for a key.
  ///
  /// The method may be called from any thread, and does not run the block itself (C5).
  ///
  /// - Complexity: O(1). The first request of a window takes O(log n) in the number of keys.
  @inlinable public func schedule(_ key: Key) {
    // Most signals of a storm join the pending run, and change nothing.
    if !keys.coversSignal(of: key) { keys.signal(key) { _, _ in false } }
  }

  /// Drops the pending run for a key, and closes the window of the key. The next request for the key opens a
  /// new window.
  ///
  /// The method is idempotent, and may be called from any thread, even in the run of another key (E6, C7).
  ///
  /// - Complexity: O(log n) amortised, for n keys.
  @inlinable public func cancel(_ key: Key) { keys.cancel(key) }

  /// Drops the pending runs for all keys, and closes the windows of the keys.
  ///
  /// The method is idempotent, and may be called from any thread (E6, C7).
  public func cancelAll() { keys.cancelAll() }

  /// Makes the pending run for a key now, on the calling thread, and closes the window of the key.
  ///
  /// Call this method on the scheduler (C7). If it is called in the run of another key, the run of this key
  /// follows on the next turn.
  ///
  /// - Complexity: O(log n) amortised, for n keys.
  public func flush(_ key: Key) { keys.flush(.flush(key)) }

  /// Makes the runs for all pending keys now, on the calling thread, and closes the windows of these keys.
  ///
  /// Call this method on the scheduler (C7). If it is called in the run of a key, the runs follow on the next
  /// turn.
  ///
  /// - Complexity: O(n log n) in the number of keys.
  public func flushAll() { keys.flush(.flushAll) }
}

extension KeyedCallback: CustomStringConvertible {
  /// The type and the label, and the number of pending keys.
  public var description: String { keys.description }
}

// SAFETY: the proof of `CoalescingCallback` holds. The block is called on the scheduler, one call at a time
// (K1).
extension KeyedCallback: @unchecked Sendable {}

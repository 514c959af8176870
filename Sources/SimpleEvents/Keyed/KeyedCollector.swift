/// A keyed callback with a payload: it collects elements for each key, and delivers them in batches.
///
/// It is a ``CoalescingCollector`` for every user, document or sensor:
///
/// ```swift
/// let inboxes = KeyedCollector<User.ID, Message>(
///   on: queue, policy: .audit(.seconds(1)), keeping: .newest(100)
/// ) { user, messages in
///   notify(user, of: messages)
/// }
/// inboxes.add(message, for: user)
/// ```
///
/// The limit, the batch size and the order of elements hold for each key. Due keys are delivered one after
/// another, as in a ``KeyedCallback``, and never two keys at the same time. A key takes memory only while it
/// has elements or its window is open (K2).
///
/// An element that a leading-only policy ignores is dropped, and no batch counts it, because its key may be
/// forgotten before the next batch. The same holds for an element that the function of `.combined` adds for a
/// key without elements. Such an addition is flagged. The function `onDrop:` receives these elements.
///
/// A key is hashed and compared under a lock, as ``KeyedCallback`` describes. Elements are hashed and
/// compared under no lock.
///
/// A collector is `Sendable` if its elements are. Keep a reference to the collector, because its deallocation
/// discards the elements.
///
/// Contracts: K1 to K3, K6, C1 to C3, C5 to C12, E9, see <doc:Contracts>.
@_fixed_layout public final class KeyedCollector<Key: Hashable & Sendable, Element> {
  /// A batch of elements of one key.
  public typealias Batch = ElementBatch<Element>

  @usableFromInline let keys: KeyedCoalescer<Key, CollectorStore<Element>>
  @usableFromInline let rules: CollectorRules<Element>
  @usableFromInline let onDrop: (@Sendable (Key, Element) -> Void)?
  @usableFromInline let common: CommonElements = CommonElements()

  // NB: the initialiser is inlined, as in `KeyedCallback`.
  /// Creates a collector without elements.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which the block runs, and whose clock measures windows.
  ///   - policy: The rule by which the additions for a key become deliveries.
  ///   - limit: The number of elements to keep for each key, and the rule by which further elements are
  ///     dropped.
  ///   - batchSize: The largest number of elements in a batch, at least one. When this number of elements of
  ///     a key is queued, these elements are delivered on the next turn, whatever the policy. By default, and
  ///     with a size above the limit, a batch has all queued elements. A size for `.combined` is flagged
  ///     (C12).
  ///   - onDrop: The function that receives, once, each element that is not going to be delivered, with its
  ///     key. The limit or the policy has dropped the element, or it was discarded by a cancellation, by
  ///     deallocation or by the loss of the scheduler (C9). The function is called in the call that causes
  ///     the drop, under no lock. It may call the collector, but must not add a dropped element again.
  ///   - label: The name of the collector in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: The block that receives a key and the elements of a batch, at least one. If it is isolated to
  ///     an actor, the scheduler must deliver on that actor (E9).
  @inlinable @inline(__always) public init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    keeping limit: ElementLimit<Element>, batchSize: Int = .max,
    onDrop: (@Sendable (Key, Element) -> Void)? = nil, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping @isolated(any) (Key, Batch) -> Void
  ) {
    let subject = DiagnosticSubject(
      KeyedCollector.self, label: label, misuse: misuse, fileID: fileID, line: line)
    let rules = CollectorRules(keeping: limit, batchSize: batchSize, countsIgnored: false, for: subject)
    self.rules = rules
    self.onDrop = onDrop
    keys = KeyedCoalescer(
      on: scheduler, policy: policy, fresh: CollectorStore(limit: rules.limit), subject,
      isolation: block.isolation,
      serve: KeyedCollector.serve(rules, StoredKeyedBlock(block).call), rest: KeyedCollector.rest(rules),
      discard: onDrop.map(KeyedCollector.discard))
  }

  /// Creates a collector of the newest element of each key, for an owner that ends when the scheduler is lost
  /// (S7).
  ///
  /// - Parameter onLoss: A function that is called after the loss, on any thread.
  @inlinable @inline(__always) package init(
    newestOn scheduler: any EventScheduler, policy: CoalescingPolicy, _ subject: DiagnosticSubject,
    onLoss: @escaping () -> Void, block: @escaping (Key, Batch) -> Void
  ) {
    let rules = CollectorRules<Element>(
      keeping: .newest(1), batchSize: .max, countsIgnored: false, for: subject)
    self.rules = rules
    onDrop = nil
    keys = KeyedCoalescer(
      on: scheduler, policy: policy, fresh: CollectorStore(limit: rules.limit), subject, isolation: nil,
      serve: KeyedCollector.serve(rules, block), rest: KeyedCollector.rest(rules), onLoss: onLoss)
  }

  @inlinable static func serve(
    _ rules: CollectorRules<Element>, _ block: @escaping (Key, Batch) -> Void
  ) -> KeyedCoalescer<Key, CollectorStore<Element>>.Serve {
    { keys, start in
      keys.serve(start) { _, store in
        store.takeBatch(upTo: rules.batchSize)
      } deliver: { key, batch in
        block(key, batch)
        return batch.droppedCount
      }
    }
  }

  @inlinable static func rest(
    _ rules: CollectorRules<Element>
  ) -> KeyedCoalescer<Key, CollectorStore<Element>>.Gates.Leave {
    { rules.rest($0) }
  }

  @usableFromInline static func discard(
    by onDrop: @escaping @Sendable (Key, Element) -> Void
  ) -> KeyedCoalescer<Key, CollectorStore<Element>>.Discard {
    { key, store in
      var store = store
      for element in store.takeBatch() { onDrop(key, element) }
    }
  }

  deinit { keys.close() }

  /// The number of keys that have an entry.
  package var entryCount: Int { keys.entryCount }

  /// Whether no key is pending and no delivery is in progress.
  package var isIdle: Bool { keys.isIdle }

  /// The name of the collector in diagnostics.
  public var label: String? { keys.subject.label }

  /// The number of pending keys.
  ///
  /// - Complexity: O(1).
  public var pendingCount: Int { keys.pendingCount }

  /// Whether a delivery of a key is pending, so that it comes without a further addition.
  ///
  /// - Complexity: O(1).
  @inlinable public func isPending(_ key: Key) -> Bool { keys.isPending(key) }

  /// The number of queued elements of a key.
  ///
  /// - Complexity: O(1).
  @inlinable public func count(for key: Key) -> Int { keys.withPayload(key) { $0.count } }

  /// Adds an element for a key.
  ///
  /// The method may be called from any thread if the element is `Sendable`, and does not run the block itself
  /// (C5).
  ///
  /// - Complexity: Amortised O(1). The first element of a window takes O(log n) in the number of keys.
  @inlinable public func add(_ element: Element, for key: Key) {
    let isJoined = rules.join(element) {
      keys.join(key, storing: $0)
    } discarding: {
      onDrop?(key, $0)
    }
    if !isJoined { rules.add(element, to: KeyedElements(of: key, in: self)) }
  }

  /// Adds elements for a key, in order.
  ///
  /// With the rules `newest`, `oldest` and `unlimited` the elements are added in one step, with one signal
  /// for all. With the other rules, or with a batch size, the elements are added one by one.
  ///
  /// The method may be called from any thread if the elements are `Sendable`.
  ///
  /// - Complexity: Amortised O(n) in the number of elements.
  @inlinable public func add(contentsOf elements: some Sequence<Element>, for key: Key) {
    rules.add(contentsOf: elements, to: KeyedElements(of: key, in: self))
  }

  /// Discards the elements of a key, drops the pending delivery and closes the window of the key.
  ///
  /// The method is idempotent, and may be called from any thread, even in the delivery of another key (E6,
  /// C7, C9).
  ///
  /// - Complexity: O(log n) amortised, for n keys. If `onDrop:` receives m elements, also O(m).
  @inlinable public func cancel(_ key: Key) { keys.cancel(key) }

  /// Discards the elements of all keys, drops the pending deliveries and closes the windows.
  ///
  /// The method is idempotent, and may be called from any thread (E6, C7, C9).
  public func cancelAll() { keys.cancelAll() }

  /// Makes the pending delivery of a key now, on the calling thread, and closes the window of the key.
  ///
  /// With a batch size, all elements of the key that are queued at the call are delivered, batch by batch.
  /// Call this method on the scheduler (C7). If it is called in the delivery of another key, the delivery of
  /// this key follows on the next turn.
  ///
  /// - Complexity: O(log n) amortised, for n keys; with a batch size, also O(m) for m elements of the key.
  public func flush(_ key: Key) {
    if rules.batchSize < .max { keys.withPayload(key) { $0.flushed = $0.count } }
    keys.flush(.flush(key))
  }

  /// Makes the deliveries of all pending keys now, on the calling thread, and closes the windows of these
  /// keys.
  ///
  /// Call this method on the scheduler (C7). If it is called in the delivery of a key, the deliveries follow
  /// on the next turn.
  ///
  /// - Complexity: O(n log n) in the number of keys; with a batch size, also O(m) in the number of elements.
  public func flushAll() {
    if rules.batchSize < .max { keys.withPayloads { $0.flushed = $0.count } }
    keys.flush(.flushAll)
  }
}

extension KeyedCollector: CustomStringConvertible {
  /// The type and the label, and the number of pending keys.
  public var description: String { keys.description }
}

// SAFETY: the proof of `CoalescingCollector` holds. Elements cross threads through the lock of the keys, and
// the block is called on the scheduler, one call at a time (K1).
extension KeyedCollector: @unchecked Sendable where Element: Sendable {}

public import SimpleEvents

/// Holds the newest value of each key until a policy delivers it to an observer. It is a keyed collector of
/// one value per key.
///
/// The object is also the subscription to the source.
@usableFromInline
final class KeyedValues<Key: Hashable & Sendable, Value>: Subscription, @unchecked Sendable {
  // SAFETY: the collector and the callback are thread-safe, and call the observer on the scheduler. Values
  // cross threads through the lock of the collector.

  private let downstream: Observer<Value>
  private let values: KeyedCollector<Key, Value>
  /// Delivers the end; nil until the initialiser ends.
  private var ending: CoalescingCallback?
  /// The end of the source. It is guarded, because the source may end on any thread.
  private let completion: Guarded<Completion?> = Guarded(nil)

  @usableFromInline init(
    _ downstream: Observer<Value>, _ scheduler: any EventScheduler, _ policy: CoalescingPolicy,
    _ fileID: StaticString, _ line: UInt
  ) {
    self.downstream = downstream
    values = KeyedCollector(on: scheduler, policy: policy, keeping: .newest(1), fileID: fileID, line: line) {
      for value in $1 { downstream.next(value) }
    }
    super.init()
    ending = CoalescingCallback(on: scheduler, fileID: fileID, line: line) { [weak self] in self?.sendEnd() }
  }

  @usableFromInline func add(_ value: Value, for key: Key) { values.add(value, for: key) }

  /// Delivers the end on the next turn, because the caller may be the delivery of a key. Pending values are
  /// delivered before a regular end, and dropped by an error.
  @usableFromInline func end(_ completion: Completion) {
    if case .failed = completion { values.cancelAll() }
    self.completion.withLock { $0 = completion }
    ending?.schedule()
  }

  private func sendEnd() {
    values.flushAll()
    // On a concurrent queue, the delivery of a key may be in progress. The end follows it (V2).
    guard values.isIdle else { return ending?.schedule() ?? () }
    switch completion.exchange(nil) {
    case .failed(let error): downstream.fail(error)
    case .finished: downstream.finish()
    case nil: break
    }
  }

  /// Ends the subscription to the source, and drops the pending values.
  @usableFromInline override func disconnect(_ subscription: Subscription) {
    remove()
    values.cancelAll()
    ending?.cancel()
  }
}

public import SimpleEvents

/// Holds the newest value of each key until a policy delivers it to an observer. It is a keyed collector of
/// one value per key.
///
/// The object is also the subscription to the source.
@usableFromInline
final class KeyedValues<Key: Hashable & Sendable, Value>: Subscription, Wakeable, @unchecked Sendable {
  // SAFETY: the collector and the turns are thread-safe, and call the observer on the scheduler. Values cross
  // threads through the lock of the collector.

  private let downstream: Observer<Value>
  private let values: KeyedCollector<Key, Value>
  /// The turns on which the end is delivered.
  private let turns: TurnSource
  /// The end of the source. It is guarded, because the source may end on any thread.
  private let completion: Guarded<Completion?> = Guarded(nil)

  @usableFromInline init(
    _ downstream: Observer<Value>, _ scheduler: any EventScheduler, _ policy: CoalescingPolicy,
    _ fileID: StaticString, _ line: UInt
  ) {
    self.downstream = downstream
    turns = scheduler.turnSource
    let subject = DiagnosticSubject(
      KeyedCollector<Key, Value>.self, label: nil, misuse: .debugTrap, fileID: fileID, line: line)
    values = KeyedCollector(newestOn: scheduler, policy: policy, subject) {
      // The scheduler can no longer deliver (S7).
      downstream.subscription.remove()
    } block: {
      for value in $1 { downstream.next(value) }
    }
    super.init()
  }

  @usableFromInline func add(_ value: Value, for key: Key) { values.add(value, for: key) }

  /// Delivers the end on the next turn, because this method may be called during the delivery of a key.
  /// Pending values are delivered before a regular end, and dropped by an error.
  @usableFromInline func end(_ completion: Completion) {
    if case .failed = completion { values.cancelAll() }
    self.completion.withLock { $0 = completion }
    turns.ask(for: self)
  }

  package func wake(_ cause: WakeCause) {
    if case .turn = cause { sendEnd() } else { downstream.subscription.remove() }
  }

  private func sendEnd() {
    values.flushAll()
    // On a concurrent queue, the delivery of a key may be in progress. The end follows it (V2).
    guard values.isIdle else { return turns.ask(for: self) }
    switch completion.exchange(nil) {
    case .failed(let error): downstream.fail(error)
    case .finished: downstream.finish()
    case nil: break
    }
  }

  /// Ends the subscription to the source, and drops the pending values and the end.
  @usableFromInline override func disconnect(_ subscription: Subscription) {
    remove()
    values.cancelAll()
    _ = completion.exchange(nil)
  }
}

public import SimpleEvents

extension Observable {
  /// Returns the newest value of each key of this observable, sent when a coalescing policy delivers the key.
  ///
  /// Each key has a window of its own, as if its values were coalesced separately. A key uses memory only
  /// while it has a value pending or its window is open (K1, K2). At most one value of a key is pending.
  ///
  /// When this observable finishes, pending values are sent on the next turn, and then the end. When it
  /// fails, pending values are dropped. Values and the end are sent on the scheduler, which should be serial.
  ///
  /// - Parameters:
  ///   - key: Returns the key of a value. If the closure is isolated to an actor, a call off that actor is
  ///     flagged (E9).
  ///   - scheduler: The scheduler that calls subscribers and measures the time. A value that is sent off this
  ///     scheduler passes from one thread to another, so it should be `Sendable`.
  ///   - policy: The policy, which defines the instants at which the newest value of a key is sent.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  @inlinable @inline(__always) public func coalesced<Key: Hashable & Sendable>(
    by key: @escaping @isolated(any) (_ value: Value) -> Key, on scheduler: some EventScheduler,
    policy: CoalescingPolicy, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Observable<Value> {
    let key = isolationChecked(key, of: publicType, at: CallSite(fileID: fileID, line: line))
    return coalesced(by: key, scheduler, policy, fileID, line)
  }

  /// The scheduler is an existential, so that this function is specialised only for the values and keys.
  @inlinable func coalesced<Key: Hashable & Sendable>(
    by key: @escaping (Value) -> Key, _ scheduler: any EventScheduler, _ policy: CoalescingPolicy,
    _ fileID: StaticString, _ line: UInt
  ) -> Observable<Value> {
    Operator { [self] downstream in
      let values = KeyedValues<Key, Value>(downstream, scheduler, policy, fileID, line)
      downstream.subscription.add(values)
      connect(Observer(values, onNext: { values.add($0, for: key($0)) }, onEnd: { values.end($0) }))
    }
  }
}

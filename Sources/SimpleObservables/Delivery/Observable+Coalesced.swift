public import SimpleEvents

extension Observable {
  /// Returns the newest value of this observable, sent when a coalescing policy delivers.
  ///
  /// This is the counterpart of a `LazySimpleEvent` for values: of many values, subscribers receive the
  /// newest. At most one value is pending, however fast values are sent (V3).
  ///
  /// When this observable finishes, a pending value is sent without a wait for the policy, and then the end.
  /// When it fails, a pending value is dropped. Values and the end are sent on the scheduler, which should be
  /// serial.
  ///
  /// - Parameters:
  ///   - policy: The policy, which defines the instants at which the newest value is sent.
  ///   - scheduler: The scheduler that calls subscribers and measures the time. A value that is sent off this
  ///     scheduler passes from one thread to another, so it should be `Sendable`.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  @inlinable @inline(__always) public func coalesced(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Observable<Value> {
    coalesced(by: scheduler, policy, fileID, line)
  }

  /// The scheduler is an existential, so that this function is specialised only for the values.
  @inlinable func coalesced(
    by scheduler: any EventScheduler, _ policy: CoalescingPolicy, _ fileID: StaticString, _ line: UInt
  ) -> Observable<Value> {
    Operator { [self] downstream in
      let values = CoalescedValues(downstream, on: scheduler, policy: policy, fileID: fileID, line: line)
      downstream.subscription.add(values)
      connect(values.observer)
    }
  }

  /// Returns the newest value of this observable, sent when no other value has followed it for an interval.
  ///
  /// - Parameters:
  ///   - interval: The time after which a burst ends if no further value was sent.
  ///   - maxWait: The longest time for which a burst continues without a delivery; nil for no limit. A time
  ///     below the interval means the interval. With `.leading` alone, nothing is delivered at the limit.
  ///   - edges: The deliveries of a burst: one at its beginning, one at its end, or both. The delivery at the
  ///     beginning comes on the next turn, and sends the newest value at that time.
  ///   - scheduler: The scheduler that calls subscribers and measures the time; see
  ///     ``coalesced(on:policy:fileID:line:)``.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  @inlinable @inline(__always) public func debounce(
    _ interval: Duration, maxWait: Duration? = nil, edges: CoalescingPolicy.Edges = .trailing,
    on scheduler: some EventScheduler, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Observable<Value> {
    coalesced(by: scheduler, .debounce(interval, maxWait: maxWait, edges: edges), fileID, line)
  }

  /// Returns the newest value of this observable, sent at most once in each window of an interval.
  ///
  /// By default a burst has a delivery at its beginning, and the last value of each interval follows. The
  /// delivery at the beginning comes on the next turn of the scheduler. It sends the newest of the values
  /// that were sent before that turn.
  ///
  /// - Parameters:
  ///   - interval: The length of a window. The time between two values is shorter if the scheduler is late
  ///     for the first one, or if this observable finishes while a value is pending.
  ///   - edges: The deliveries of an interval: one at its beginning, one at its end, or both.
  ///   - scheduler: The scheduler that calls subscribers and measures the time; see
  ///     ``coalesced(on:policy:fileID:line:)``.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  @inlinable @inline(__always) public func throttle(
    _ interval: Duration, edges: CoalescingPolicy.Edges = [.leading, .trailing],
    on scheduler: some EventScheduler, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Observable<Value> {
    coalesced(by: scheduler, .throttle(interval, edges: edges), fileID, line)
  }

  /// Returns the newest value of this observable, sent an interval after the first value since the last
  /// delivery.
  ///
  /// - Parameters:
  ///   - interval: The time from the first value to the delivery.
  ///   - scheduler: The scheduler that calls subscribers and measures the time; see
  ///     ``coalesced(on:policy:fileID:line:)``.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  @inlinable @inline(__always) public func audit(
    _ interval: Duration, on scheduler: some EventScheduler, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Observable<Value> {
    coalesced(by: scheduler, .audit(interval), fileID, line)
  }
}

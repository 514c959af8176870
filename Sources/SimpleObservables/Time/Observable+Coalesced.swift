public import SimpleEvents

extension Observable {
  /// The newest value of this observable, told as often as a policy has it.
  ///
  /// What a `LazySimpleEvent` does with triggers, done with values: many become one, the
  /// newest. It holds that one value and nothing more, at whatever rate they come.
  ///
  /// When this observable finishes, a value that waits is told at once, and then the end. When it fails,
  /// what waits is dropped, and the error told. All that happens on the scheduler, which should be serial.
  ///
  /// - Parameters:
  ///   - policy: When to tell the newest value.
  ///   - scheduler: Where to tell it, and what tells the time. A value sent elsewhere crosses threads.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public func coalesced(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Observable<Value> {
    Observable { [self] downstream in
      let desk = ConflatingDesk(scheduler, downstream)
      let callback = CoalescingCallback(
        on: scheduler, policy: policy, label: "coalesced(on:policy:)", fileID: fileID, line: line,
        block: { @Sendable in desk.deliver() })
      downstream.subscription.add(Disposable { callback.cancel() })
      connect(
        under: downstream.subscription,
        onNext: { value in
          desk.put(value)
          callback.schedule()
        },
        onEnd: { completion in
          // With a leading edge alone, a value that is not pending is one that the policy has ignored.
          let deliversNewest = policy.edges.contains(.trailing) || callback.isPending
          callback.cancel()
          desk.end(completion, deliversNewest: deliversNewest)
        })
    }
  }

  /// The newest value of this observable, each time that no other has followed it for an interval.
  ///
  /// - Parameters:
  ///   - interval: How long it must be quiet.
  ///   - maxWait: The longest that values go on coming without one being told; nil waits for ever.
  ///   - edges: Whether to tell the value that begins a burst, the one that ends it, or both.
  ///   - scheduler: Where to tell it, and what tells the time; see ``coalesced(on:policy:fileID:line:)``.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public func debounce(
    _ interval: Duration, maxWait: Duration? = nil, edges: CoalescingPolicy.Edges = .trailing,
    on scheduler: some EventScheduler, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Observable<Value> {
    coalesced(
      on: scheduler, policy: .debounce(interval, maxWait: maxWait, edges: edges), fileID: fileID, line: line)
  }

  /// The values of this observable, at most one an interval: the first at once, the last never withheld.
  ///
  /// - Parameters:
  ///   - interval: The least time between values.
  ///   - edges: Whether to tell the value that begins an interval, the last one in it, or both.
  ///   - scheduler: Where to tell it, and what tells the time; see ``coalesced(on:policy:fileID:line:)``.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public func throttle(
    _ interval: Duration, edges: CoalescingPolicy.Edges = [.leading, .trailing],
    on scheduler: some EventScheduler, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Observable<Value> {
    coalesced(on: scheduler, policy: .throttle(interval, edges: edges), fileID: fileID, line: line)
  }

  /// The newest value of this observable, an interval after the first one that has not been told.
  ///
  /// - Parameters:
  ///   - interval: How long values are collected.
  ///   - scheduler: Where to tell it, and what tells the time; see ``coalesced(on:policy:fileID:line:)``.
  public func audit(_ interval: Duration, on scheduler: some EventScheduler) -> Observable<Value> {
    coalesced(on: scheduler, policy: .audit(interval))
  }
}

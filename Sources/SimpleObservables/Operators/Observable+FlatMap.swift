public import SimpleEvents

extension Observable {
  /// The values of all observables that a function returns for the values of this one.
  ///
  /// Finishes when this observable and all that the function returned have finished. Fails with the first of them that
  /// fails.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Called with each value, once for each subscriber. If it is isolated to an actor, a call off that
  ///     actor is flagged (E9).
  public func flatMap<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Observable<Output>
  ) -> Observable<Output> {
    flatMap(latestOnly: false, stored(part: transform, at: CallSite(fileID: fileID, line: line)))
  }

  /// The values of the newest observable that a function has returned for a value of this one.
  ///
  /// Each value of this observable removes the subscription to the observable of the value before. Finishes when this
  /// observable and the newest that the function returned have finished.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Called with each value, once for each subscriber. If it is isolated to an actor, a call off that
  ///     actor is flagged (E9).
  public func flatMapLatest<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Observable<Output>
  ) -> Observable<Output> {
    flatMap(latestOnly: true, stored(part: transform, at: CallSite(fileID: fileID, line: line)))
  }

  private func flatMap<Output>(
    latestOnly: Bool, _ transform: @escaping (Value) -> Observable<Output>
  ) -> Observable<Output> {
    Operator<Output> { [self] downstream in
      let parts = Parts(downstream)
      downstream.subscription.add(parts)
      connect(
        Observer(
          parts.source,
          onNext: { value in
            if latestOnly { parts.leaveAll() }
            parts.connect(transform(value))
          },
          onEnd: { parts.end($0) }))
    }
  }
}

/// A step of a flat map.
@frozen
@usableFromInline
enum PartsStep<Value> {
  case next(Value, generation: Int)
  case end(Completion, index: Int, generation: Int)
  case sourceEnd(Completion)
}

/// The observables that a flat map is subscribed to, and whether more can come.
@usableFromInline
final class Parts<Output>: SerialLine<PartsStep<Output>>, @unchecked Sendable {
  // SAFETY: as its superclass. The subscriptions are behind a lock.

  @usableFromInline let downstream: Observer<Output>
  /// The subscription to the source of the flat map.
  @usableFromInline let source: Subscription = Subscription()
  private let group: SourceGroup = SourceGroup()
  /// Whether no more observables can come.
  ///
  /// SAFETY: the performer of the line uses it.
  @exclusivity(unchecked) private var isSourceFinished: Bool = false

  @usableFromInline
  init(_ downstream: Observer<Output>) {
    self.downstream = downstream
    super.init()
  }

  @inlinable
  func connect(_ part: Observable<Output>) {
    guard let (subscription, index, generation) = open() else { return }
    part.connect(
      Observer(
        subscription, onNext: { self.send($0, generation) },
        onEnd: { self.submit(.end($0, index: index, generation: generation)) }))
  }

  @usableFromInline
  func open() -> (Subscription, Int, Int)? { group.open().map { ($0.subscription, $0.index, $0.generation) } }

  @usableFromInline
  func end(_ completion: Completion) { submit(.sourceEnd(completion)) }

  /// Ends the subscriptions to the parts.
  @usableFromInline
  func leaveAll() { group.leaveAll() }

  @usableFromInline
  override func disconnect(_ subscription: Subscription) {
    source.remove()
    group.disconnect(subscription)
  }

  /// Removes the subscriptions to the present parts.
  /// Removes the subscriptions to the present parts, and accepts no further ones.
  @inlinable
  func send(_ value: Output, _ generation: Int) {
    var replaced: Waiting?
    let isPerformer = performer.withLock { performer in
      enter(&performer, replacing: &replaced, .next(value, generation: generation))
    }
    if isPerformer {
      deliver(value, generation)
      if !departs() { resume() }
    }
  }

  @usableFromInline
  func submit(_ step: PartsStep<Output>) { submit(step, to: { perform($0) }, resume: { resume() }) }

  @inlinable @inline(never)
  func resume() { performWaiting(to: { perform($0) }, resume: { [self] in resume() }) }

  @inlinable
  func perform(_ step: PartsStep<Output>) {
    switch step {
    // The value of a part that was removed meanwhile is dropped.
    case .next(let value, let generation): deliver(value, generation)
    case .end(let completion, let index, let generation): close(index, generation, completion)
    case .sourceEnd(let completion): close(completion)
    }
  }

  @inlinable
  func deliver(_ value: Output, _ generation: Int) {
    // A part that was left while its value waited does not count any more.
    if isCurrent(generation) { downstream.next(value) }
  }

  @usableFromInline
  func isCurrent(_ generation: Int) -> Bool { group.isCurrent(generation) }

  @usableFromInline
  func close(_ index: Int, _ generation: Int, _ completion: Completion) {
    guard isCurrent(generation) else { return }
    if case .failed = completion { return downstream.end(completion) }
    if group.close(index, generation: generation), unsafe isSourceFinished { downstream.finish() }
  }

  @usableFromInline
  func close(_ completion: Completion) {
    if case .failed = completion { return downstream.end(completion) }
    unsafe isSourceFinished = true
    if group.isEmpty { downstream.finish() }
  }
}

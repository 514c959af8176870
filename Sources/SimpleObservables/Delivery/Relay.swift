public import SimpleEvents

/// A step of a relay.
@frozen
@usableFromInline
enum RelayStep<Value> {
  case next(Value)
  case end(Completion, source: Int)
}

/// Passes the signals of sources on any threads to one observer, one at a time.
///
/// It passes the first error on, and finishes when all sources have finished.
@usableFromInline
final class Relay<Value>: SerialLine<RelayStep<Value>>, @unchecked Sendable {
  // SAFETY: as its superclass.

  @usableFromInline let downstream: Observer<Value>
  private let sources: SourceGroup = SourceGroup()
  /// The number of sources that have not finished.
  ///
  /// SAFETY: the performer of the line uses it.
  @exclusivity(unchecked) private var remaining: Int

  @usableFromInline
  init(_ downstream: Observer<Value>, sources count: Int) {
    self.downstream = downstream
    unsafe remaining = count
    super.init()
    downstream.subscription.add(sources)
    if count == 0 { downstream.finish() }
  }

  /// The observer of one more source; nil if the subscription has ended.
  @inlinable
  func open() -> Observer<Value>? {
    guard let (subscription, index) = place() else { return nil }
    return Observer(
      subscription, conflates: downstream.conflates, onNext: { self.send($0) },
      onEnd: { self.end($0, of: index) })
  }

  @usableFromInline
  func place() -> (Subscription, Int)? { sources.open().map { ($0.subscription, $0.index) } }

  @inlinable
  func send(_ value: Value) {
    // Released when this returns: after the lock.
    var replaced: Waiting?
    let isPerformer = performer.withLock { performer in
      enter(&performer, replacing: &replaced, isReplaceable: downstream.conflates, .next(value))
    }
    if isPerformer {
      downstream.next(value)
      if !departs() { resume() }
    }
    withExtendedLifetime(replaced) {}
  }

  @usableFromInline
  func end(_ completion: Completion, of source: Int) {
    submit(.end(completion, source: source), to: { perform($0) }, resume: { resume() })
  }

  @inlinable @inline(never)
  func resume() { performWaiting(to: { perform($0) }, resume: { [self] in resume() }) }

  @inlinable
  func perform(_ step: RelayStep<Value>) {
    switch step {
    case .next(let value): downstream.next(value)
    case .end(let completion, let source): close(source, completion)
    }
  }

  @usableFromInline
  func close(_ source: Int, _ completion: Completion) {
    sources.close(source)
    unsafe remaining -= 1
    if case .finished = completion, unsafe remaining > 0 { return }
    downstream.end(completion)
  }
}

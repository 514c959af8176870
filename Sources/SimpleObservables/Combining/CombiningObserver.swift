internal import SimpleEvents

/// A step of an observer of several sources.
@frozen @usableFromInline enum CombiningStep<Input> {
  case next(Input)
  case end(Completion, source: Int)
}

/// An observer of several sources, which may send on any threads. An operator receives their values one at a
/// time.
///
/// The observer passes the first error on. It finishes when all sources have finished, or earlier if the
/// operator decides so. The sources are disconnected when the subscriber is removed.
@usableFromInline
final class CombiningObserver<Input, Output>: StepQueue<CombiningStep<Input>>, @unchecked Sendable {
  // SAFETY: the proof of the superclass holds.

  @usableFromInline let downstream: Observer<Output>
  @usableFromInline let receive: (Input) -> Void
  private let endsAfter: (Int) -> Bool
  /// Whether a newer input may replace a queued input.
  @usableFromInline let conflates: Bool
  /// The number of sources that have not finished.
  ///
  /// SAFETY: the steps of the queue use the property, one at a time.
  @exclusivity(unchecked) private var remaining: Int

  /// - Parameters:
  ///   - downstream: The observer of the operator. It receives the end.
  ///   - count: The number of sources.
  ///   - conflates: Whether only the newest input counts.
  ///   - endsAfter: Called with the number of a source that has finished while other sources have not.
  ///     Returns whether the sequence finishes.
  ///   - receive: Called with each input, one at a time, after a check that the subscriber is not removed.
  ///     The first value that `receive` sends for an input may therefore go to `onNext`, which does not
  ///     repeat the check.
  @usableFromInline init(
    _ downstream: Observer<Output>, sources count: Int, conflates: Bool = false,
    endsAfter: @escaping (Int) -> Bool = { _ in false }, receive: @escaping (Input) -> Void
  ) {
    self.downstream = downstream
    self.receive = receive
    self.endsAfter = endsAfter
    self.conflates = conflates
    unsafe remaining = count
    super.init()
    if count == 0 { downstream.finish() }
  }

  /// Connects a source.
  ///
  /// - Parameters:
  ///   - source: The source to connect.
  ///   - number: The number of the source.
  ///   - input: Converts a value of the source to an input.
  @inlinable
  func connect<Value>(_ source: Observable<Value>, number: Int, _ input: @escaping (Value) -> Input) {
    source.connect(observer(number: number, onNext: { self.send(input($0)) }))
  }

  /// The observer of a source whose values are the inputs.
  @inlinable func observer(number: Int) -> Observer<Input> {
    observer(number: number, onNext: { self.send($0) })
  }

  @inlinable func observer<Value>(number: Int, onNext: @escaping (Value) -> Void) -> Observer<Value> {
    let subscription = Subscription()
    downstream.subscription.add(subscription)
    return Observer(
      subscription, conflates: conflates, onNext: onNext, onEnd: { self.end($0, source: number) })
  }

  @inlinable @inline(__always) func send(_ input: Input) {
    // NB: this is a function, because a closure would be called instead of inlined.
    @inline(__always) func perform() { if downstream.isActive { receive(input) } }
    submit(.next(input), admission: { conflates ? .replaceable : .kept }, perform: perform)
  }

  @usableFromInline func end(_ completion: Completion, source: Int) {
    submit(.end(completion, source: source)) { close(source, completion) }
  }

  @inlinable @inline(never) override func drain() { drain { [self] in perform($0) } }

  @inlinable func perform(_ step: CombiningStep<Input>) {
    switch step {
    case .next(let input): if downstream.isActive { receive(input) }
    case .end(let completion, let source): close(source, completion)
    }
  }

  @usableFromInline func close(_ source: Int, _ completion: Completion) {
    unsafe remaining -= 1
    if case .finished = completion, unsafe remaining > 0 && !endsAfter(source) { return }
    downstream.end(completion)
  }
}

/// A value of the first or of the second source.
@frozen @usableFromInline enum Either<First, Second> {
  case first(First)
  case second(Second)
}

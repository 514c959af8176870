public import SimpleEvents

/// A step of a junction.
@frozen
@usableFromInline
enum JunctionStep<Input> {
  case next(Input)
  case end(source: Int, Completion)
}

/// Takes the signals of several sources, from any threads and one at a time, for an operator that combines them.
///
/// It passes the first error on, and finishes when all sources have finished.
@usableFromInline
final class Junction<Input, Output>: SerialLine<JunctionStep<Input>>, @unchecked Sendable {
  // SAFETY: as its superclass.

  private let downstream: Observer<Output>
  @usableFromInline let receive: (Input) -> Void
  private let sourceFinished: (Int) -> Void
  private let sources: SourceGroup = SourceGroup()
  /// The number of sources that have not finished.
  ///
  /// SAFETY: the performer of the line uses it, one thread at a time.
  @exclusivity(unchecked) private var remaining: Int

  /// - Parameters:
  ///   - downstream: Receives the end.
  ///   - count: The number of sources.
  ///   - sourceFinished: Called with the number of a source that has finished.
  ///   - receive: Called with each input, one at a time.
  @usableFromInline
  init(
    _ downstream: Observer<Output>, count: Int, sourceFinished: @escaping (Int) -> Void = { _ in },
    receive: @escaping (Input) -> Void
  ) {
    self.downstream = downstream
    self.receive = receive
    self.sourceFinished = sourceFinished
    unsafe remaining = count
    super.init()
    downstream.subscription.add(sources)
    if count == 0 { downstream.finish() }
  }

  /// Connects a source, unless the downstream subscription has been removed.
  ///
  /// - Parameters:
  ///   - source: Connected for as long as the downstream subscription lasts.
  ///   - number: The index of the source.
  ///   - input: Turns a value of the source into an input of the junction.
  @inlinable
  func connect<Value>(_ source: Observable<Value>, number: Int, _ input: @escaping (Value) -> Input) {
    guard let subscription = open() else { return }
    source.connect(
      Observer(subscription, onNext: { self.send(input($0)) }, onEnd: { self.end($0, of: number) }))
  }

  @usableFromInline
  func open() -> Subscription? { downstream.isActive ? sources.open()?.subscription : nil }

  @inlinable
  func send(_ input: Input) {
    var replaced: Waiting?
    let isPerformer = performer.withLock { enter(&$0, replacing: &replaced, .next(input)) }
    if isPerformer {
      receive(input)
      if !departs() { resume() }
    }
  }

  @usableFromInline
  func end(_ completion: Completion, of source: Int) {
    submit(.end(source: source, completion), to: { perform($0) }, resume: { resume() })
  }

  @inlinable @inline(never)
  func resume() { performWaiting(to: { perform($0) }, resume: { [self] in resume() }) }

  @inlinable
  func perform(_ step: JunctionStep<Input>) {
    switch step {
    case .next(let input): receive(input)
    case .end(let source, let completion): close(source, completion)
    }
  }

  @usableFromInline
  func close(_ source: Int, _ completion: Completion) {
    guard case .finished = completion else { return downstream.end(completion) }
    sources.close(source)
    unsafe remaining -= 1
    if unsafe remaining == 0 {
      downstream.finish()
    } else {
      sourceFinished(source)
    }
  }
}

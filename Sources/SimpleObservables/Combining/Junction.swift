/// Where several sources meet: what they say is dealt with one at a time, whatever threads it comes from.
///
/// It passes the first error on, and finishes when every source has.
final class Junction<Input, Output> {
  private enum Step {
    case next(Input)
    case end(source: Int, Completion)
  }

  private let line: SerialLine<Step> = SerialLine()
  private let downstream: Observer<Output>
  private let receive: (Input) -> Void
  private let sourceFinished: (Int) -> Void
  /// How many sources have not finished. Touched by the line's performer only.
  private var remaining: Int

  /// - Parameters:
  ///   - downstream: Told the end.
  ///   - count: How many sources there are.
  ///   - sourceFinished: Called with the number of a source that has finished.
  ///   - receive: Called with each input, one at a time.
  init(
    _ downstream: Observer<Output>, count: Int, sourceFinished: @escaping (Int) -> Void = { _ in },
    receive: @escaping (Input) -> Void
  ) {
    self.downstream = downstream
    self.receive = receive
    self.sourceFinished = sourceFinished
    remaining = count
    if count == 0 {
      downstream.finish()
    }
  }

  /// Connects a source, unless nobody is listening any more.
  ///
  /// - Parameters:
  ///   - source: Connected for as long as the downstream subscription lasts.
  ///   - number: Which one it is.
  ///   - input: Makes a value what the junction receives.
  func connect<Value>(_ source: Observable<Value>, number: Int, _ input: @escaping (Value) -> Input) {
    guard downstream.isActive else { return }
    source.connect(
      under: downstream.subscription,
      onNext: { [self] in line.submit(.next(input($0)), to: perform) },
      onEnd: { [self] in line.submit(.end(source: number, $0), to: perform) })
  }

  private func perform(_ step: Step) {
    switch step {
    case .next(let input):
      if downstream.isActive {
        receive(input)
      }
    case .end(_, .failed(let error)):
      downstream.fail(error)
    case .end(let source, .finished):
      remaining -= 1
      if remaining == 0 {
        downstream.finish()
      } else {
        sourceFinished(source)
      }
    }
  }
}

#if canImport(Combine)
  internal import Combine
  internal import SimpleEvents

  /// The demand of a Combine subscriber, and the newest value for which there is none yet.
  final class DemandedValue<Output, Failure: Error>: Combine.Subscription {
    private enum Step {
      case next(Output)
      case end(Completion)
      case request(Subscribers.Demand)
    }

    let upstream: Subscription = Subscription()
    private let subscriber: AnySubscriber<Output, Failure>
    private let failure: (any Error) -> Failure?
    private let line: SerialLine<Step> = SerialLine()
    /// Read by any thread that removes the subscription, while the line delivers.
    private let isCancelled: Guarded<Bool> = Guarded(false)
    // Used by the performer of the line only.
    private var demand: Subscribers.Demand = .none
    private var waiting: Output?
    private var isFinished: Bool = false

    /// - Parameters:
    ///   - subscriber: Receives the values and the completion.
    ///   - failure: Returns the failure for an error of the observable; nil for a regular completion.
    init(
      _ subscriber: AnySubscriber<Output, Failure>, failure: @escaping (any Error) -> Failure?
    ) {
      self.subscriber = subscriber
      self.failure = failure
    }

    func next(_ value: Output) { submit(.next(value)) }
    func end(_ completion: Completion) { submit(.end(completion)) }
    func request(_ demand: Subscribers.Demand) { submit(.request(demand)) }

    private func submit(_ step: Step) { line.submit(step, to: { perform($0) }, resume: { resume() }) }

    private func resume() { line.performWaiting(to: { perform($0) }, resume: { [self] in resume() }) }

    func cancel() {
      isCancelled.withLock { $0 = true }
      upstream.remove()
    }

    private func perform(_ step: Step) {
      switch step {
      case .next(let value): waiting = .some(value)
      case .request(let more): demand += more
      case .end(.finished): isFinished = true
      case .end(.failed(let error)):
        waiting = .none
        if let failure = failure(error) {
          if !wasCancelled { subscriber.receive(completion: .failure(failure)) }
          return
        }
        isFinished = true
      }
      deliver()
    }

    /// Delivers the value that waits, if it is demanded, and after it the completion.
    private func deliver() {
      guard !wasCancelled else { return waiting = .none }
      if demand > .none, case .some(let value) = waiting {
        waiting = .none
        demand -= 1
        demand += subscriber.receive(value)
      }
      if isFinished, case .none = waiting, !wasCancelled {
        // Nothing follows the completion, also if the subscriber demands more.
        isCancelled.withLock { $0 = true }
        subscriber.receive(completion: .finished)
      }
    }

    private var wasCancelled: Bool { isCancelled.withLock { $0 } }
  }
#endif

internal import SimpleEvents

/// The demand of a Combine subscriber, and the newest value while there is no demand.
///
/// The class implements the subscription of a Combine subscriber without the types of Combine, so that tests
/// cover it on every platform.
package final class DemandBuffer<Output, Failure: Error> {
  private let queue: ActionQueue = ActionQueue()
  private let upstream: Subscription = Subscription()
  private let failure: (any Error) -> Failure?
  /// Whether nothing more is delivered. Any thread may set this, even during a step.
  private let isCancelled: Guarded<Bool> = Guarded(false)
  // The steps of the queue use these properties, one at a time. The last step releases the functions, which
  // retain the subscriber.
  private var receive: ((Output) -> Int?)?
  private var complete: ((Failure?) -> Void)?
  /// The number of values that the subscriber still demands; nil for any number.
  private var demand: Int? = 0
  private var newest: Output?
  private var isFinished: Bool = false

  /// - Parameters:
  ///   - receive: Passes a value to the subscriber, and returns the number of further values that the
  ///     subscriber demands; nil for any number.
  ///   - complete: Completes the subscriber, with a failure or without one.
  ///   - failure: Returns the failure for an error of the observable. If the result is nil, the subscriber
  ///     completes without a failure.
  package init(
    receive: @escaping (Output) -> Int?, complete: @escaping (Failure?) -> Void,
    failure: @escaping (any Error) -> Failure?
  ) {
    self.receive = receive
    self.complete = complete
    self.failure = failure
  }

  /// Subscribes to an observable. Call this method once.
  package func connect(to source: Observable<Output>) {
    source.connect(
      Observer(
        upstream,
        onNext: { [self] value in
          queue.submit {
            self.newest = .some(value)
            self.deliver()
          }
        },
        onEnd: { [self] completion in queue.submit { self.end(completion) } }))
  }

  /// Adds a number of values to the demand; nil adds an unlimited number.
  package func request(_ more: Int?) {
    queue.submit { [self] in
      add(more)
      deliver()
    }
  }

  /// Ends the subscription, and releases the pending value and the subscriber.
  package func cancel() {
    isCancelled.withLock { $0 = true }
    upstream.remove()
    queue.submit { [self] in release() }
  }

  private func end(_ completion: Completion) {
    if case .failed(let error) = completion {
      newest = .none
      if let failure = failure(error) { return complete(with: failure) }
    }
    isFinished = true
    deliver()
  }

  /// Delivers the newest value if it is demanded, and then the completion.
  private func deliver() {
    guard !wasCancelled else { return release() }
    if demand != 0, let receive, case .some(let value) = newest {
      newest = .none
      add(-1)
      add(receive(value))
    }
    if isFinished, case .none = newest { complete(with: nil) }
  }

  /// Completes the subscriber. Nothing follows, even if the subscriber demands more.
  private func complete(with failure: Failure?) {
    if !isCancelled.exchange(true) { complete?(failure) }
    release()
  }

  private func release() {
    newest = .none
    receive = nil
    complete = nil
  }

  private func add(_ more: Int?) {
    guard let present = demand, let more else { return demand = nil }
    let (sum, isTooLarge) = present.addingReportingOverflow(more)
    demand = isTooLarge ? nil : sum
  }

  private var wasCancelled: Bool { isCancelled.withLock { $0 } }
}

internal import SimpleEvents

/// The demand of a subscriber that asks for values, and the newest value for which there is none yet.
///
/// This is the subscription of a Combine subscriber without the types of Combine, so that it is tested on every platform.
package final class DemandedValue<Output, Failure: Error> {
  private enum Step {
    case next(Output)
    case end(Completion)
    case request(Int?)
  }

  let upstream: Subscription = Subscription()
  private let receive: (Output) -> Int?
  private let complete: (Failure?) -> Void
  private let failure: (any Error) -> Failure?
  private let line: SerialLine<Step> = SerialLine()
  /// Read by any thread that removes the subscription, while the line delivers.
  private let isCancelled: Guarded<Bool> = Guarded(false)
  // Used by the performer of the line only.
  /// The number of values that the subscriber still asks for; nil for any number.
  private var demand: Int? = 0
  private var waiting: Output?
  private var isFinished: Bool = false

  /// - Parameters:
  ///   - receive: Passes a value to the subscriber, and returns the number of values that it asks for in addition; nil for any.
  ///   - complete: Ends the subscriber, with a failure or without.
  ///   - failure: Returns the failure for an error of the observable; nil for a regular completion.
  package init(
    receive: @escaping (Output) -> Int?, complete: @escaping (Failure?) -> Void,
    failure: @escaping (any Error) -> Failure?
  ) {
    self.receive = receive
    self.complete = complete
    self.failure = failure
  }

  /// Subscribes to an observable. Called once.
  package func connect(to source: Observable<Output>) {
    source.connect(
      Observer(upstream, onNext: { [self] in submit(.next($0)) }, onEnd: { [self] in submit(.end($0)) }))
  }

  /// Asks for a number of values more; nil for any number.
  package func request(_ more: Int?) { submit(.request(more)) }

  /// Ends the subscription.
  package func cancel() {
    isCancelled.withLock { $0 = true }
    upstream.remove()
  }

  private func submit(_ step: Step) { line.submit(step, to: { perform($0) }, resume: { resume() }) }

  private func resume() { line.performWaiting(to: { perform($0) }, resume: { [self] in resume() }) }

  private func perform(_ step: Step) {
    switch step {
    case .next(let value): waiting = .some(value)
    case .request(let more): add(more)
    case .end(.finished): isFinished = true
    case .end(.failed(let error)):
      waiting = .none
      if let failure = failure(error) {
        if !wasCancelled { complete(failure) }
        return
      }
      isFinished = true
    }
    deliver()
  }

  /// Delivers the value that waits, if it is demanded, and after it the completion.
  private func deliver() {
    guard !wasCancelled else { return waiting = .none }
    if demand != 0, case .some(let value) = waiting {
      waiting = .none
      add(-1)
      add(receive(value))
    }
    if isFinished, case .none = waiting, !wasCancelled {
      // Nothing follows the completion, also if the subscriber demands more.
      isCancelled.withLock { $0 = true }
      complete(nil)
    }
  }

  private func add(_ more: Int?) {
    guard let present = demand, let more else { return demand = nil }
    let (sum, isTooLarge) = present.addingReportingOverflow(more)
    demand = isTooLarge ? nil : sum
  }

  private var wasCancelled: Bool { isCancelled.withLock { $0 } }
}

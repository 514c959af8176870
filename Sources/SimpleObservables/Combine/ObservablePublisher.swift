#if canImport(Combine)
  public import Combine
  internal import SimpleEvents

  extension Observable {
    /// This observable as a publisher. The publisher fails with the error of this observable.
    ///
    /// The publisher honours demand: while the subscriber demands nothing, the newest value is pending. When
    /// the observable finishes, a pending value is delivered before the completion. When the observable
    /// fails, a pending value is dropped.
    public var publisher: ObservablePublisher<Value, any Error> {
      ObservablePublisher(source: self) { $0 }
    }

    /// This observable as a publisher that never fails, for a source that never fails.
    ///
    /// It honours demand, as ``publisher`` does. An error of the source is flagged in debug builds. In
    /// release builds, an error finishes the publisher.
    ///
    /// - Parameters:
    ///   - fileID: The file of the caller, for diagnostics.
    ///   - line: The line of the caller, for diagnostics.
    public func neverFailingPublisher(
      fileID: StaticString = #fileID, line: UInt = #line
    ) -> ObservablePublisher<Value, Never> {
      let site = CallSite(fileID: fileID, line: line)
      let subject = DiagnosticSubject(publicType)
      return ObservablePublisher(source: self) { error in
        subject.misuse.flag(.unexpectedError(error, of: subject, at: site))
        return nil
      }
    }
  }

  /// An observable as a publisher. See ``Observable/publisher``.
  public struct ObservablePublisher<Output, Failure: Error>: Publisher {
    let source: Observable<Output>
    /// Returns the failure of the publisher for an error of the observable; nil if the publisher finishes.
    let failure: (any Error) -> Failure?

    /// Subscribes to the observable. The subscription ends when the subscriber cancels it.
    ///
    /// - Parameter subscriber: The subscriber that receives the values.
    public func receive<S: Combine.Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let value = DemandBuffer<Output, Failure>(
        receive: { subscriber.receive($0).max },
        complete: { failure in subscriber.receive(completion: failure.map { .failure($0) } ?? .finished) },
        failure: failure)
      subscriber.receive(subscription: PublisherSubscription(value))
      value.connect(to: source)
    }
  }

  /// The subscription of a Combine subscriber to an observable.
  private final class PublisherSubscription<Output, Failure: Error>: Combine.Subscription {
    private let value: DemandBuffer<Output, Failure>

    init(_ value: DemandBuffer<Output, Failure>) { self.value = value }

    func request(_ demand: Subscribers.Demand) { value.request(demand.max) }

    func cancel() { value.cancel() }
  }
#endif

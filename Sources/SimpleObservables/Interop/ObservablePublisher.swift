#if canImport(Combine)
  public import Combine
  internal import SimpleEvents

  extension Observable {
    /// This observable as a publisher.
    ///
    /// It honours demand: while its subscriber asks for nothing, the newest value waits.
    public var publisher: ObservablePublisher<Value> { ObservablePublisher(source: self) }
  }

  /// An observable as a publisher. See ``Observable/publisher``.
  public struct ObservablePublisher<Output>: Publisher {
    /// An observable ends with any error.
    public typealias Failure = any Error

    let source: Observable<Output>

    /// Subscribes to the observable; cancelling ends that.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let demand = Demand(AnySubscriber(subscriber))
      subscriber.receive(subscription: demand)
      source.connect(Observer(demand.upstream, onNext: demand.next, onEnd: demand.end))
    }
  }

  /// What a subscriber has asked for, and the newest value that it has not.
  private final class Demand<Output>: Combine.Subscription {
    private enum Step {
      case next(Output)
      case end(Completion)
      case request(Subscribers.Demand)
    }

    let upstream: Subscription = Subscription()
    private let subscriber: AnySubscriber<Output, any Error>
    private let line: SerialLine<Step> = SerialLine()
    // Touched by the line's performer only.
    private var demand: Subscribers.Demand = .none
    private var waiting: Output?

    init(_ subscriber: AnySubscriber<Output, any Error>) {
      self.subscriber = subscriber
    }

    func next(_ value: Output) { line.submit(.next(value), to: perform) }
    func end(_ completion: Completion) { line.submit(.end(completion), to: perform) }
    func request(_ demand: Subscribers.Demand) { line.submit(.request(demand), to: perform) }
    func cancel() { upstream.remove() }

    private func perform(_ step: Step) {
      switch step {
      case .next(let value): waiting = .some(value)
      case .request(let more): demand += more
      case .end(.finished): return subscriber.receive(completion: .finished)
      case .end(.failed(let error)): return subscriber.receive(completion: .failure(error))
      }
      if demand > .none, !upstream.isClosed, case .some(let value) = waiting {
        waiting = .none
        demand -= 1
        demand += subscriber.receive(value)
      }
    }
  }
#endif

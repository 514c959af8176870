// A stand-in for the part of Combine that the package uses. With it, the package's code for Combine compiles
// on Linux.

public protocol CustomCombineIdentifierConvertible {}

public protocol Cancellable {
  func cancel()
}

public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  func request(_ demand: Subscribers.Demand)
}

public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error

  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

public enum Subscribers {
  @frozen public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }

  @frozen public struct Demand: Sendable {
    public let max: Int?
  }
}

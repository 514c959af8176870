/// How a sequence of values comes to its end.
@frozen
@usableFromInline
enum Completion: Sendable {
  case finished
  case failed(any Error)
}

/// What a source says: values, then at most one end.
enum Signal<Value> {
  case next(Value)
  case end(Completion)
}

/// The end of a sequence of values.
@frozen @usableFromInline package enum Completion: Sendable {
  case finished
  case failed(any Error)
}

/// An event of a sequence: a value, or the end.
@frozen @usableFromInline enum StreamEvent<Value> {
  case next(Value)
  case end(Completion)
}

/// The end of a sequence of values.
@frozen
@usableFromInline
enum Completion: Sendable {
  case finished
  case failed(any Error)
}

/// A signal of a source: a value, or the end.
@frozen
@usableFromInline
enum Signal<Value> {
  case next(Value)
  case end(Completion)
}

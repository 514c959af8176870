// The functions of operators as their users pass them, and as they are stored. `StoredBlock` of the core says
// why each type of function has structures of its own.

/// A function that turns a value into another one.
@frozen
@usableFromInline
struct StoredTransform<Value, Output> {
  /// The function without its isolation.
  @usableFromInline let call: (Value) -> Output

  @frozen
  @usableFromInline
  struct Isolated {
    @usableFromInline let call: @isolated(any) (Value) -> Output

    @inlinable
    init(call: @escaping @isolated(any) (Value) -> Output) {
      self.call = call
    }
  }

  @inlinable
  init(_ transform: @escaping @isolated(any) (Value) -> Output) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: transform), to: Self.self)
  }
}

/// A condition on a value.
@frozen
@usableFromInline
struct StoredFilter<Value> {
  /// The function without its isolation.
  @usableFromInline let call: (Value) -> Bool

  @frozen
  @usableFromInline
  struct Isolated {
    @usableFromInline let call: @isolated(any) (Value) -> Bool

    @inlinable
    init(call: @escaping @isolated(any) (Value) -> Bool) {
      self.call = call
    }
  }

  @inlinable
  init(_ isIncluded: @escaping @isolated(any) (Value) -> Bool) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: isIncluded), to: Self.self)
  }
}

/// A comparison of two values.
@frozen
@usableFromInline
struct StoredComparison<Value> {
  /// The function without its isolation.
  @usableFromInline let call: (Value, Value) -> Bool

  @frozen
  @usableFromInline
  struct Isolated {
    @usableFromInline let call: @isolated(any) (Value, Value) -> Bool

    @inlinable
    init(call: @escaping @isolated(any) (Value, Value) -> Bool) {
      self.call = call
    }
  }

  @inlinable
  init(_ areSame: @escaping @isolated(any) (Value, Value) -> Bool) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: areSame), to: Self.self)
  }
}

/// A function that turns a value into an observable.
struct StoredPart<Value, Output> {
  /// The function without its isolation.
  let call: (Value) -> Observable<Output>

  private struct Isolated {
    let call: @isolated(any) (Value) -> Observable<Output>
  }

  init(_ transform: @escaping @isolated(any) (Value) -> Observable<Output>) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: transform), to: Self.self)
  }
}

/// A function that connects an observer to a source.
struct StoredConnection<Value> {
  /// A function that connects an observer to a source, and returns the block that disconnects it.
  typealias Connect = (Observer<Value>) -> @isolated(any) () -> Void

  /// The function without its isolation. The block that it returns has an isolation of its own.
  let call: Connect

  private struct Isolated {
    let call: @isolated(any) (Observer<Value>) -> @isolated(any) () -> Void
  }

  init(_ connect: @escaping @isolated(any) (Observer<Value>) -> @isolated(any) () -> Void) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: connect), to: Self.self)
  }
}

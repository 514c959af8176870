// The blocks of subscribers as their users pass them, and as they are stored. `StoredBlock` of the core says
// why each type of function has structures of its own.

/// A block that takes a value and the one before it.
@frozen
@usableFromInline
struct StoredChange<Value> {
  /// The block as a plain function.
  @usableFromInline let call: (Value, Value?) -> Void

  @frozen
  @usableFromInline
  struct Isolated {
    @usableFromInline let call: @isolated(any) (Value, Value?) -> Void

    @inlinable
    init(call: @escaping @isolated(any) (Value, Value?) -> Void) {
      self.call = call
    }
  }

  @inlinable
  init(_ block: @escaping @isolated(any) (Value, Value?) -> Void) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: block), to: Self.self)
  }
}

/// A condition on a value and the one before it.
@frozen
@usableFromInline
struct StoredCondition<Value> {
  /// The block as a plain function.
  @usableFromInline let call: (Value, Value?) -> Bool

  @frozen
  @usableFromInline
  struct Isolated {
    @usableFromInline let call: @isolated(any) (Value, Value?) -> Bool

    @inlinable
    init(call: @escaping @isolated(any) (Value, Value?) -> Bool) {
      self.call = call
    }
  }

  @inlinable
  init(_ block: @escaping @isolated(any) (Value, Value?) -> Bool) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: block), to: Self.self)
  }
}

/// A block that takes an error.
struct StoredErrorBlock {
  /// The block as a plain function.
  let call: (any Error) -> Void

  private struct Isolated {
    let call: @isolated(any) (any Error) -> Void
  }

  init(_ block: @escaping @isolated(any) (any Error) -> Void) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: block), to: Self.self)
  }
}

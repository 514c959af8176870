/// A function of one argument as its user passes it, with its isolation, and as it is stored, without it.
///
/// `StoredBlock` of the core does the same for blocks of one argument that return nothing, and says why a
/// cast needs a structure.
@frozen @usableFromInline struct NonisolatedFunction<Argument, Result> {
  /// The function without its isolation.
  @usableFromInline let call: (Argument) -> Result

  @frozen @usableFromInline struct Isolated {
    @usableFromInline let call: @isolated(any) (Argument) -> Result

    @inlinable init(call: @escaping @isolated(any) (Argument) -> Result) { self.call = call }
  }

  @inlinable init(_ function: @escaping @isolated(any) (Argument) -> Result) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: function), to: Self.self)
  }
}

/// A condition as its user passes it, with its isolation, and as it is stored, without it.
// NB: not a `NonisolatedFunction<Argument, Bool>`. A generic structure expects that the result is returned in
// memory, so that the function would be wrapped in two closures, and each call would pass through both.
@frozen @usableFromInline struct NonisolatedCondition<Argument> {
  /// The condition without its isolation.
  @usableFromInline let call: (Argument) -> Bool

  @frozen @usableFromInline struct Isolated {
    @usableFromInline let call: @isolated(any) (Argument) -> Bool

    @inlinable init(call: @escaping @isolated(any) (Argument) -> Bool) { self.call = call }
  }

  @inlinable init(_ condition: @escaping @isolated(any) (Argument) -> Bool) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: condition), to: Self.self)
  }
}

/// A function of two arguments as its user passes it, with its isolation, and as it is stored, without it.
@frozen @usableFromInline struct NonisolatedBinaryFunction<First, Second, Result> {
  /// The function without its isolation.
  @usableFromInline let call: (First, Second) -> Result

  @frozen @usableFromInline struct Isolated {
    @usableFromInline let call: @isolated(any) (First, Second) -> Result

    @inlinable init(call: @escaping @isolated(any) (First, Second) -> Result) { self.call = call }
  }

  @inlinable init(_ function: @escaping @isolated(any) (First, Second) -> Result) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: function), to: Self.self)
  }
}

/// Converts a function of one argument to a plain function, without its isolation.
///
/// `StoredBlock` of the core converts blocks of one argument that return nothing. Its documentation explains
/// why a cast needs a structure.
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

/// Converts a condition to a plain function, without its isolation.
// NB: this is not a `NonisolatedFunction<Argument, Bool>`. A structure that is generic over the result
// expects that the result is returned in memory. The function would therefore be wrapped in two closures, and
// each call would pass through both closures.
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

/// Converts a function of two arguments to a plain function, without its isolation.
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

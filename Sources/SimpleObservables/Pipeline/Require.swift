#if DEBUG
  /// Stops the program if an invariant of the package does not hold. For the functions named
  /// `checkInvariants`.
  @usableFromInline func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { preconditionFailure("SimpleObservables, an invariant is broken: \(message())") }
  }
#endif

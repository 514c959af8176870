public import SimpleEvents

// Converts the functions of users to plain functions. In debug builds, if a function is isolated to an actor,
// a call off that actor is flagged before the function runs (E9). A release build stores the function
// unchanged.
//
// - Parameters:
//   - function: The function that a user has passed.
//   - type: The type that a message names as the owner of the function.
//   - site: The place where the function was passed.

@inlinable func isolationChecked<Argument>(
  _ function: @escaping @isolated(any) (Argument) -> Void, of type: @autoclosure () -> Any.Type,
  at site: CallSite
) -> (Argument) -> Void {
  let call = StoredBlock(function).call
  #if DEBUG
    if let flagIfOffActor = isolationCheck(function.isolation, of: type(), at: site) {
      return { argument in
        flagIfOffActor()
        call(argument)
      }
    }
  #endif
  return call
}

@inlinable func isolationChecked<Argument, Result>(
  _ function: @escaping @isolated(any) (Argument) -> Result, of type: @autoclosure () -> Any.Type,
  at site: CallSite
) -> (Argument) -> Result {
  let call = NonisolatedFunction(function).call
  #if DEBUG
    if let flagIfOffActor = isolationCheck(function.isolation, of: type(), at: site) {
      return { argument in
        flagIfOffActor()
        return call(argument)
      }
    }
  #endif
  return call
}

@inlinable func isolationChecked<Argument>(
  _ condition: @escaping @isolated(any) (Argument) -> Bool, of type: @autoclosure () -> Any.Type,
  at site: CallSite
) -> (Argument) -> Bool {
  let call = NonisolatedCondition(condition).call
  #if DEBUG
    if let flagIfOffActor = isolationCheck(condition.isolation, of: type(), at: site) {
      return { argument in
        flagIfOffActor()
        return call(argument)
      }
    }
  #endif
  return call
}

@inlinable func isolationChecked<First, Second, Result>(
  _ function: @escaping @isolated(any) (First, Second) -> Result, of type: @autoclosure () -> Any.Type,
  at site: CallSite
) -> (First, Second) -> Result {
  let call = NonisolatedBinaryFunction(function).call
  #if DEBUG
    if let flagIfOffActor = isolationCheck(function.isolation, of: type(), at: site) {
      return { first, second in
        flagIfOffActor()
        return call(first, second)
      }
    }
  #endif
  return call
}

func isolationChecked(
  _ function: @escaping @isolated(any) () -> Void, of type: @autoclosure () -> Any.Type, at site: CallSite
) -> () -> Void {
  let call = StoredAction(function, at: nil).function
  #if DEBUG
    if let flagIfOffActor = isolationCheck(function.isolation, of: type(), at: site) {
      return {
        flagIfOffActor()
        call()
      }
    }
  #endif
  return call
}

#if DEBUG
  /// Returns a check that flags a call off the actor. The check runs before each call of an isolated
  /// function. Returns nil for a function without isolation.
  @usableFromInline func isolationCheck(
    _ isolation: (any Actor)?, of type: @autoclosure () -> Any.Type, at site: CallSite
  ) -> (() -> Void)? {
    guard let isolation else { return nil }
    let origin = BlockIsolation(isolation, at: site)
    let subject = DiagnosticSubject(type())
    return { origin.flagIfOffActor(subject, isOfOperator: true) }
  }
#endif

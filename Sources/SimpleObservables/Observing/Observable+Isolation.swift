public import SimpleEvents

// The blocks of subscribers as plain functions. In debug builds the function of a block that belongs to an
// actor flags a call off that actor before it calls the block (E9). A release build stores the block as it
// is.
extension Observable {
  @inlinable
  final func stored(
    _ block: @escaping @isolated(any) (Value) -> Void, at site: CallSite
  ) -> (Value) -> Void {
    let call = StoredBlock(block).call
    #if DEBUG
      if let flagIfElsewhere = isolationCheck(block.isolation, of: publicType, at: site) {
        return { value in
          flagIfElsewhere()
          call(value)
        }
      }
    #endif
    return call
  }

  @inlinable
  final func stored(
    _ block: @escaping @isolated(any) (Value, Value?) -> Void, at site: CallSite
  ) -> (Value, Value?) -> Void {
    let call = StoredChange(block).call
    #if DEBUG
      if let flagIfElsewhere = isolationCheck(block.isolation, of: publicType, at: site) {
        return { value, oldValue in
          flagIfElsewhere()
          call(value, oldValue)
        }
      }
    #endif
    return call
  }

  @inlinable
  final func stored(
    _ block: @escaping @isolated(any) (Value, Value?) -> Bool, at site: CallSite
  ) -> (Value, Value?) -> Bool {
    let call = StoredCondition(block).call
    #if DEBUG
      if let flagIfElsewhere = isolationCheck(block.isolation, of: publicType, at: site) {
        return { value, oldValue in
          flagIfElsewhere()
          return call(value, oldValue)
        }
      }
    #endif
    return call
  }

  final func stored(
    _ block: @escaping @isolated(any) (any Error) -> Void, at site: CallSite
  ) -> (any Error) -> Void {
    let call = StoredErrorBlock(block).call
    #if DEBUG
      if let flagIfElsewhere = isolationCheck(block.isolation, of: publicType, at: site) {
        return { error in
          flagIfElsewhere()
          call(error)
        }
      }
    #endif
    return call
  }

  final func stored(_ block: @escaping @isolated(any) () -> Void, at site: CallSite) -> () -> Void {
    storedAction(block, of: publicType, at: site)
  }
}

/// A block without arguments as a plain function, which flags a call off the block's actor in debug builds (E9).
func storedAction(
  _ block: @escaping @isolated(any) () -> Void, of type: Any.Type, at site: CallSite
) -> () -> Void {
  let call = StoredAction(block).call
  #if DEBUG
    if let flagIfElsewhere = isolationCheck(block.isolation, of: type, at: site) {
      return {
        flagIfElsewhere()
        call()
      }
    }
  #endif
  return call
}

#if DEBUG
  /// Returns a function that flags the call of a block that is about to happen off the block's actor; nil
  /// for a block that belongs to no actor.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the block is isolated to.
  ///   - type: The type that a message names as the block's owner.
  ///   - site: The place where the block was passed.
  @usableFromInline
  func isolationCheck(
    _ isolation: (any Actor)?, of type: @autoclosure () -> Any.Type, at site: CallSite
  ) -> (() -> Void)? {
    guard let isolation else { return nil }
    let origin = BlockOrigin(isolation, at: site)
    let subject = DiagnosticSubject(type())
    return { origin.flagIfElsewhere(subject) }
  }
#endif

public import SimpleEvents

// The functions that operators store, as plain ones. In debug builds a function that belongs to an actor
// flags a call off that actor before it runs (E9). A release build stores the function as it is.
extension Observable {
  @inlinable
  final func stored<Output>(
    transform: @escaping @isolated(any) (Value) -> Output, at site: CallSite
  ) -> (Value) -> Output {
    let call = StoredTransform(transform).call
    #if DEBUG
      if let flagIfElsewhere = isolationCheck(transform.isolation, of: publicType, at: site) {
        return { value in
          flagIfElsewhere()
          return call(value)
        }
      }
    #endif
    return call
  }

  @inlinable
  final func stored(
    filter: @escaping @isolated(any) (Value) -> Bool, at site: CallSite
  ) -> (Value) -> Bool {
    let call = StoredFilter(filter).call
    #if DEBUG
      if let flagIfElsewhere = isolationCheck(filter.isolation, of: publicType, at: site) {
        return { value in
          flagIfElsewhere()
          return call(value)
        }
      }
    #endif
    return call
  }

  @inlinable
  final func stored(
    comparison: @escaping @isolated(any) (Value, Value) -> Bool, at site: CallSite
  ) -> (Value, Value) -> Bool {
    let call = StoredComparison(comparison).call
    #if DEBUG
      if let flagIfElsewhere = isolationCheck(comparison.isolation, of: publicType, at: site) {
        return { first, second in
          flagIfElsewhere()
          return call(first, second)
        }
      }
    #endif
    return call
  }

  final func stored<Output>(
    part transform: @escaping @isolated(any) (Value) -> Observable<Output>, at site: CallSite
  ) -> (Value) -> Observable<Output> {
    let call = StoredPart(transform).call
    #if DEBUG
      if let flagIfElsewhere = isolationCheck(transform.isolation, of: publicType, at: site) {
        return { value in
          flagIfElsewhere()
          return call(value)
        }
      }
    #endif
    return call
  }

  static func stored(
    connection connect: @escaping @isolated(any) (Observer<Value>) -> @isolated(any) () -> Void,
    at site: CallSite
  ) -> StoredConnection<Value>.Connect {
    let call = StoredConnection(connect).call
    #if DEBUG
      if let flagIfElsewhere = isolationCheck(connect.isolation, of: Observable<Value>.self, at: site) {
        return { observer in
          flagIfElsewhere()
          return call(observer)
        }
      }
    #endif
    return call
  }
}

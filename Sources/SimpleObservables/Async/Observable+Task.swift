extension Observable where Value: Sendable {
  /// An observable that runs an asynchronous function for each subscriber, sends its result, and finishes.
  ///
  /// An error that the function throws is the error of the sequence. The task of the function is cancelled
  /// when the subscription is removed, so ``Observable/flatMapLatest(fileID:line:_:)`` cancels it when a
  /// newer value comes:
  ///
  /// ```swift
  /// let results = query.flatMapLatest { query in .task { try await index.matches(query) } }
  /// ```
  ///
  /// In this example an error ends the results as well. If the results are to continue, replace the error
  /// inside `flatMapLatest`: `.task { … }.catch { _ in .just([]) }`. Before an operator that changes the
  /// type, such as `map`, write `Observable.task { … }`, because a leading dot takes the type of the end of
  /// the chain.
  ///
  /// The compiler takes the type of the value from the closure only if that is one expression. With several
  /// statements before `print($0)`, which accepts any value, it says that "type 'Any' does not conform to the
  /// 'Sendable' protocol". Write the type: `Observable<Int>.task { … }`.
  ///
  /// The result is sent on the actor of the function. A closure in a main-actor class belongs to the main
  /// actor, and a closure in an actor that captures `self` strongly belongs to that actor. Operators that
  /// follow in the same code are then called on it. The result of a function without an actor is sent on the
  /// thread on which its task ends. To receive it elsewhere, use ``observe(on:keeping:)``.
  ///
  /// The task is in virtual time if the subscription, or the value that starts it, comes in a run of a
  /// `TestScheduler`.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; nil for that of the task that subscribes.
  ///   - operation: Called in a task of its own, on the actor that it is isolated to.
  public static func task(
    priority: TaskPriority? = nil,
    @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async throws -> Value
  ) -> Observable<Value> {
    task(priority: priority, on: operation.isolation, operation)
  }

  private static func task(
    priority: TaskPriority?, on actor: (any Actor)?, _ operation: @escaping @Sendable () async throws -> Value
  ) -> Observable<Value> {
    .create { observer in
      let task = Task(priority: priority) { await send(to: observer, on: actor, resultOf: operation) }
      return { task.cancel() }
    }
  }

  private static func send(
    to observer: Observer<Value>, on actor: isolated (any Actor)?,
    resultOf operation: @Sendable () async throws -> Value
  ) async {
    do {
      observer.next(try await operation())
      observer.finish()
    } catch {
      observer.fail(error)
    }
  }

  /// A function that calls an asynchronous function with each value.
  ///
  /// It is an argument of `flatMap` and `flatMapLatest`:
  ///
  /// ```swift
  /// let results = query.flatMapLatest(Observable.task { query in try await index.matches(query) })
  /// ```
  ///
  /// - Parameters:
  ///   - priority: The priority of the tasks; nil for that of the task that sends the value.
  ///   - operation: Called with each value, in a task of its own, on the actor that it is isolated to. Its
  ///     result is sent there.
  /// - Returns: A function that creates such an observable for a value.
  public static func task<Input: Sendable>(
    priority: TaskPriority? = nil,
    @_inheritActorContext _ operation:
      @escaping @Sendable @isolated(any) (_ input: Input) async throws -> Value
  ) -> @Sendable (_ input: Input) -> Observable<Value> {
    { input in .task(priority: priority, on: operation.isolation) { try await operation(input) } }
  }
}

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
  /// In this example an error also ends the results. To let the results continue, replace the error inside
  /// `flatMapLatest`: `.task { … }.catch { _ in .just([]) }`. Before an operator that changes the type, such
  /// as `map`, write `Observable.task { … }`, because a leading dot takes the type that the whole chain has.
  ///
  /// The compiler infers the type of the value only from a closure that is a single expression. In a chain
  /// that ends in a call like `print($0)`, which accepts any value, a closure of several statements gives the
  /// error "type 'Any' does not conform to the 'Sendable' protocol". In that case write the type:
  /// `Observable<Int>.task { … }`. In a module with the upcoming feature `NonisolatedNonsendingByDefault`, a
  /// function that a property or a parameter holds needs a closure around it: `.task { try await load() }`.
  ///
  /// The result is sent on the actor of the function. A closure in a method of a main-actor class is isolated
  /// to the main actor. A closure in a method of an actor is isolated to that actor if it captures `self`
  /// strongly. Operators that follow in the same code are then called on that actor. The result of a function
  /// without an actor is sent on the thread on which its task ends. To receive the result elsewhere, use
  /// ``observe(on:buffering:)``.
  ///
  /// The task is in virtual time if code in a run of a `TestScheduler` makes the subscription, or sends the
  /// value that starts the task.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; nil for the priority of the task that subscribes.
  ///   - operation: The asynchronous function. Called in a task of its own, on the actor to which it is
  ///     isolated.
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
      let task = Task(priority: priority) { await call(operation, on: actor, sendingTo: observer) }
      return { task.cancel() }
    }
  }

  private static func call(
    _ operation: @Sendable () async throws -> Value, on actor: isolated (any Actor)?,
    sendingTo observer: Observer<Value>
  ) async {
    do {
      observer.next(try await operation())
      observer.finish()
    } catch {
      observer.fail(error)
    }
  }

  /// Returns a function that calls an asynchronous function with each value.
  ///
  /// The returned function is an argument of `flatMap` and `flatMapLatest`:
  ///
  /// ```swift
  /// let results = query.flatMapLatest(Observable.task { query in try await index.matches(query) })
  /// ```
  ///
  /// - Parameters:
  ///   - priority: The priority of the tasks; nil for the priority of the task that sends the value.
  ///   - operation: The asynchronous function. Called with each value, in a task of its own, on the actor to
  ///     which it is isolated. Its result is sent on that actor.
  /// - Returns: A function from a value to an observable that sends the result for the value.
  public static func task<Input: Sendable>(
    priority: TaskPriority? = nil,
    @_inheritActorContext _ operation:
      @escaping @Sendable @isolated(any) (_ input: Input) async throws -> Value
  ) -> @Sendable (_ input: Input) -> Observable<Value> {
    { input in .task(priority: priority, on: operation.isolation) { try await operation(input) } }
  }
}

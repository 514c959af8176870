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
  /// The result is sent on the thread on which the task ends. To receive it elsewhere, use
  /// ``observe(on:keeping:)``.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; nil for that of the task that subscribes.
  ///   - operation: Called in a task of its own. It runs on the actor that it is isolated to, or on none.
  public static func task(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Value
  ) -> Observable<Value> {
    .create { observer in
      let task = Task(priority: priority) {
        do {
          observer.next(try await operation())
          observer.finish()
        } catch {
          observer.fail(error)
        }
      }
      return { task.cancel() }
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
  ///   - operation: Called with each value, in a task of its own. It runs on the actor that it is isolated
  ///     to, or on none.
  /// - Returns: A function that creates such an observable for a value.
  public static func task<Input: Sendable>(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable (_ input: Input) async throws -> Value
  ) -> @Sendable (_ input: Input) -> Observable<Value> {
    { input in .task(priority: priority) { try await operation(input) } }
  }
}

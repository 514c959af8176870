public import SimpleEvents

extension Observable {
  /// Calls a closure with each value, as long as the token exists.
  ///
  /// ```swift
  /// token = model.title.subscribe { [weak self] title in self?.show(title) }
  /// ```
  ///
  /// An error ends the subscription silently, as the end of the sequence does. If a source can fail, use
  /// ``subscribe(fileID:line:onNext:onError:onDone:)``, or replace the error with ``catch(fileID:line:_:)``.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - onNext: Called with each value, on the thread that sends it. If the closure is isolated to an actor,
  ///     a call off that actor is flagged (E9).
  /// - Returns: The token. The subscription ends when the token is removed or deallocated.
  /// - Complexity: Amortised O(1) for a subject, plus the values that it replays.
  @inlinable public func subscribe(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ onNext: @escaping @isolated(any) (_ value: Value) -> Void
  ) -> any SimpleEventToken {
    subscribe(
      next: isolationChecked(onNext, of: publicType, at: CallSite(fileID: fileID, line: line)), end: nil)
  }

  /// Calls a closure with each value and the value of the previous call.
  ///
  /// If values are pairs, a closure of two parameters receives the parts of one pair. To receive a pair and
  /// the previous pair, write the types of the parameters.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - onChange: Called with each value and the previous value, on the thread that sends the value. The
  ///     previous value is nil the first time. If the closure is isolated to an actor, a call off that actor
  ///     is flagged (E9).
  /// - Returns: The token. The subscription ends when the token is removed or deallocated.
  /// - Complexity: Amortised O(1) for a subject, plus the values that it replays.
  @_disfavoredOverload @inlinable public func subscribe(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ onChange: @escaping @isolated(any) (_ value: Value, _ oldValue: Value?) -> Void
  ) -> any SimpleEventToken {
    subscribe(change: isolationChecked(onChange, of: publicType, at: CallSite(fileID: fileID, line: line)))
  }

  /// Calls closures with each value, and with the error or the end of the sequence.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - onNext: Called with each value, on the thread that sends it. If a closure is isolated to an actor, a
  ///     call off that actor is flagged (E9).
  ///   - onError: Called at most once, with the error that ended the sequence.
  ///   - onDone: Called at most once, when the sequence has ended without an error.
  /// - Returns: The token. The subscription ends when the token is removed or deallocated.
  /// - Complexity: Amortised O(1) for a subject, plus the values that it replays.
  @_disfavoredOverload public func subscribe(
    fileID: StaticString = #fileID, line: UInt = #line,
    onNext: (@isolated(any) (_ value: Value) -> Void)? = nil,
    onError: (@isolated(any) (_ error: any Error) -> Void)? = nil,
    onDone: (@isolated(any) () -> Void)? = nil
  ) -> any SimpleEventToken {
    let site = CallSite(fileID: fileID, line: line)
    return subscribe(
      next: next(onNext, at: site), end: end(onError, onDone, at: site))
  }

  /// Subscribes plain functions, which have no isolation to check: stored blocks, and functions of this
  /// module.
  @inlinable func subscribe(
    next onNext: @escaping (Value) -> Void, end onEnd: ((Completion) -> Void)?
  ) -> any SimpleEventToken {
    let subscription = Subscription()
    connect(Observer(subscription, onNext: onNext, onEnd: onEnd))
    return SubscriptionToken(subscription)
  }

  @inlinable func subscribe(change onChange: @escaping (Value, Value?) -> Void) -> any SimpleEventToken {
    withPrevious().subscribe(next: { onChange($0.value, $0.oldValue) }, end: nil)
  }

  private func next(
    _ onNext: (@isolated(any) (Value) -> Void)?, at site: CallSite
  ) -> (Value) -> Void {
    guard let onNext else { return { _ in } }
    return isolationChecked(onNext, of: publicType, at: site)
  }

  private func end(
    _ onError: (@isolated(any) (any Error) -> Void)?, _ onDone: (@isolated(any) () -> Void)?,
    at site: CallSite
  ) -> (Completion) -> Void {
    let fail: (any Error) -> Void =
      if let onError { isolationChecked(onError, of: publicType, at: site) } else { { _ in } }
    let finish: () -> Void = if let onDone { isolationChecked(onDone, of: publicType, at: site) } else { {} }
    return { completion in
      switch completion {
      case .finished: finish()
      case .failed(let error): fail(error)
      }
    }
  }
}

// The forms of `subscribe` with a scheduler.
extension Observable {
  /// Calls a closure on a scheduler with each value, as long as the token exists.
  ///
  /// Only the calls of the closure are on the scheduler. The source is connected on the thread of the caller,
  /// before this method returns. For example, the closure of ``create(fileID:line:_:)`` runs on that thread.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that calls the closure; see ``observe(on:buffering:)``.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - onNext: Called with each value. If the closure is isolated to an actor, the scheduler must deliver
  ///     on that actor (E9).
  /// - Returns: The token. After the token is removed on the scheduler, the closure is not called again.
  public func subscribe(
    on scheduler: some EventScheduler, fileID: StaticString = #fileID, line: UInt = #line,
    _ onNext: @escaping @isolated(any) (_ value: Value) -> Void
  ) -> any SimpleEventToken {
    let site = CallSite(fileID: fileID, line: line)
    return observe(on: scheduler).subscribe(
      next: isolationChecked(onNext, of: publicType, at: site), end: nil)
  }

  /// Calls a closure on a scheduler with each value and the value of the previous call.
  ///
  /// The source is connected on the thread of the caller.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that calls the closure; see ``observe(on:buffering:)``.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - onChange: Called with each value and the previous value. The previous value is nil the first time.
  ///     If the closure is isolated to an actor, the scheduler must deliver on that actor (E9).
  /// - Returns: The token. After the token is removed on the scheduler, the closure is not called again.
  @_disfavoredOverload public func subscribe(
    on scheduler: some EventScheduler, fileID: StaticString = #fileID, line: UInt = #line,
    _ onChange: @escaping @isolated(any) (_ value: Value, _ oldValue: Value?) -> Void
  ) -> any SimpleEventToken {
    let site = CallSite(fileID: fileID, line: line)
    return observe(on: scheduler).subscribe(change: isolationChecked(onChange, of: publicType, at: site))
  }

  /// Calls closures on a scheduler with each value, and with the error or the end of the sequence.
  ///
  /// The source is connected on the thread of the caller.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that calls the closures; see ``observe(on:buffering:)``.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - onNext: Called with each value. If a closure is isolated to an actor, the scheduler must deliver on
  ///     that actor (E9).
  ///   - onError: Called at most once, with the error that ended the sequence.
  ///   - onDone: Called at most once, when the sequence has ended without an error.
  /// - Returns: The token. After the token is removed on the scheduler, no closure is called again.
  @_disfavoredOverload public func subscribe(
    on scheduler: some EventScheduler, fileID: StaticString = #fileID, line: UInt = #line,
    onNext: (@isolated(any) (_ value: Value) -> Void)? = nil,
    onError: (@isolated(any) (_ error: any Error) -> Void)? = nil,
    onDone: (@isolated(any) () -> Void)? = nil
  ) -> any SimpleEventToken {
    let site = CallSite(fileID: fileID, line: line)
    return observe(on: scheduler).subscribe(
      next: next(onNext, at: site), end: end(onError, onDone, at: site))
  }
}

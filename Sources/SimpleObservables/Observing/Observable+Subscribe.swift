public import SimpleEvents

extension Observable {
  /// Calls a closure with each value, for as long as a token lives.
  ///
  /// ```swift
  /// token = model.title.subscribe { [weak self] title in self?.show(title) }
  /// ```
  ///
  /// - Parameter onNext: Called on the thread that sends the value.
  /// - Returns: The token. The subscription ends when it is removed or let go.
  /// - Complexity: Amortised O(1) for a subject, plus the values it replays.
  @inlinable
  public func subscribe(_ onNext: @escaping (_ value: Value) -> Void) -> any SimpleEventToken {
    subscribe(next: onNext, end: { _ in })
  }

  /// Calls a closure with each value and the one that it was called with before.
  ///
  /// NB: where the values are pairs, two arguments mean this as well. To take a pair apart, name the closure:
  /// `subscribe(onNext: { first, second in … })`.
  ///
  /// - Parameter onChange: Called on the thread that sends the value. The old value is nil the first time.
  /// - Returns: The token. The subscription ends when it is removed or let go.
  /// - Complexity: Amortised O(1) for a subject, plus the values it replays.
  @inlinable
  public func subscribe(
    _ onChange: @escaping (_ value: Value, _ oldValue: Value?) -> Void
  ) -> any SimpleEventToken {
    withPrevious().subscribe { onChange($0.value, $0.oldValue) }
  }

  /// Calls closures with each value, and with the error or the end that the sequence comes to.
  ///
  /// - Parameters:
  ///   - onNext: Called with each value, on the thread that sends it.
  ///   - onError: Called at most once, with the error that ended the sequence.
  ///   - onDone: Called at most once, when the sequence ended without an error.
  /// - Returns: The token. The subscription ends when it is removed or let go.
  /// - Complexity: Amortised O(1) for a subject, plus the values it replays.
  @_disfavoredOverload
  public func subscribe(
    onNext: ((_ value: Value) -> Void)? = nil, onError: ((_ error: any Error) -> Void)? = nil,
    onDone: (() -> Void)? = nil
  ) -> any SimpleEventToken {
    subscribe(
      next: onNext ?? { _ in },
      end: { completion in
        switch completion {
        case .finished: onDone?()
        case .failed(let error): onError?(error)
        }
      })
  }

  @inlinable
  func subscribe(
    next onNext: @escaping (Value) -> Void, end onEnd: @escaping (Completion) -> Void
  ) -> any SimpleEventToken {
    let subscription = Subscription()
    connect(
      Observer(
        subscription,
        onNext: { value in
          // Once more: an operator's closure may have removed the subscription meanwhile.
          if !subscription.isClosed {
            onNext(value)
          }
        },
        onEnd: onEnd))
    return Disposable { subscription.remove() }
  }
}

// The same, called on a scheduler.
extension Observable {
  /// Calls a closure on a scheduler with each value, for as long as a token lives.
  ///
  /// - Parameters:
  ///   - scheduler: Where the closure is called; see ``observe(on:keeping:)``.
  ///   - onNext: Called with each value.
  /// - Returns: The token. Once it is removed on the scheduler, the closure is not called again.
  public func subscribe(
    on scheduler: some EventScheduler, _ onNext: @escaping (_ value: Value) -> Void
  ) -> any SimpleEventToken {
    observe(on: scheduler).subscribe(onNext: onNext)
  }

  /// Calls a closure on a scheduler with each value and the one that it was called with before.
  ///
  /// - Parameters:
  ///   - scheduler: Where the closure is called; see ``observe(on:keeping:)``.
  ///   - onChange: Called with each value; the old one is nil the first time.
  /// - Returns: The token. Once it is removed on the scheduler, the closure is not called again.
  public func subscribe(
    on scheduler: some EventScheduler, _ onChange: @escaping (_ value: Value, _ oldValue: Value?) -> Void
  ) -> any SimpleEventToken {
    observe(on: scheduler).subscribe(onChange)
  }

  /// Calls closures on a scheduler with each value, and with the error or the end.
  ///
  /// - Parameters:
  ///   - scheduler: Where the closures are called; see ``observe(on:keeping:)``.
  ///   - onNext: Called with each value.
  ///   - onError: Called at most once, with the error that ended the sequence.
  ///   - onDone: Called at most once, when the sequence ended without an error.
  /// - Returns: The token. Once it is removed on the scheduler, no closure is called again.
  @_disfavoredOverload
  public func subscribe(
    on scheduler: some EventScheduler, onNext: ((_ value: Value) -> Void)? = nil,
    onError: ((_ error: any Error) -> Void)? = nil, onDone: (() -> Void)? = nil
  ) -> any SimpleEventToken {
    observe(on: scheduler).subscribe(onNext: onNext, onError: onError, onDone: onDone)
  }
}

extension SimpleEventObservable {
  /// Registers a block for as long as a token lives.
  ///
  /// ```swift
  /// final class View {
  ///   private var didChange: (any SimpleEventToken)?
  ///   init(_ model: Model) {
  ///     model.didChange.addObserver(&didChange) { [weak self] _ in self?.update() }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - token: The variable that receives the new token. Its old token is released after the new block has
  ///     been added.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: The block to call with the event. A ``SimpleEvent`` calls it on the thread of the trigger,
  ///     and a ``LazySimpleEvent`` calls it on its scheduler. If the block is isolated to an actor, a call
  ///     off that actor is flagged (E9).
  /// - Complexity: Amortised O(1); O(n) for the first change during a notification.
  public func addObserver(
    _ token: inout (any SimpleEventToken)?, fileID: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @isolated(any) (any SimpleEventObservable) -> Void
  ) {
    token = addObserver(at: CallSite(fileID: fileID, line: line), block)
  }

  /// Registers a block, and returns the token that keeps the block registered.
  ///
  /// This method serves optional chains, `token = child?.didChange.addObserver { _ in … }`, and collections
  /// of tokens, `if let token = event.addObserver({ _ in … }) { tokens.append(token) }`.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: The block to call with the event. If the block is isolated to an actor, a call off that actor
  ///     is flagged (E9).
  /// - Returns: The token; never nil for the events of this module. Releasing the token removes the block.
  /// - Complexity: Amortised O(1); O(n) for the first change during a notification.
  public func addObserver(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @isolated(any) (any SimpleEventObservable) -> Void
  ) -> (any SimpleEventToken)? {
    addObserver(at: CallSite(fileID: fileID, line: line), block)
  }

  /// Registers an observer in delegate style.
  ///
  /// - Parameters:
  ///   - observer: The observer, which is called after the observers that were added earlier. It is held
  ///     weakly, and must be removed once, in its `deinit` at the latest.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  /// - Complexity: Amortised O(1); O(n) for the first change during a notification.
  public func addObserver(
    _ observer: any SimpleEventObserver, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    addObserver(observer, at: CallSite(fileID: fileID, line: line))
  }

  /// Removes an observer that was registered in delegate style.
  ///
  /// - Parameters:
  ///   - observer: An observer that was added and has not been removed since. Any other observer is flagged
  ///     (H6).
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  /// - Complexity: Amortised O(1); O(n) for the first change during a notification.
  public func removeObserver(
    _ observer: any SimpleEventObserver, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    removeObserver(observer, at: CallSite(fileID: fileID, line: line))
  }
}

// These are default implementations for types that implement only the three classic methods. Each
// implementation names the type of the classic method that it calls, because a plain call would resolve to
// the overload that calls this implementation again.
extension SimpleEventObservable {
  /// Nil: by default, an event has no label.
  public var label: String? { nil }

  /// Registers a block by the classic method. The isolation of the block is checked in the same way as for
  /// the events of this module (E9).
  public func addObserver(
    at site: CallSite, _ block: @escaping @isolated(any) (any SimpleEventObservable) -> Void
  ) -> (any SimpleEventToken)? {
    var token: (any SimpleEventToken)?
    let register: (inout (any SimpleEventToken)?, @escaping ObserverBlock) -> Void = addObserver
    let observer = BlockObserver(block, at: site)
    let subject = DiagnosticSubject(type: Self.self, label: label, misuse: .debugTrap, site: nil)
    register(&token) { event in observer.call(event, subject) }
    return token
  }

  /// Registers an observer by the classic method. The call site is dropped.
  public func addObserver(_ observer: any SimpleEventObserver, at site: CallSite) {
    (addObserver as (any SimpleEventObserver) -> Void)(observer)
  }

  /// Removes an observer by the classic method. The call site is dropped.
  public func removeObserver(_ observer: any SimpleEventObserver, at site: CallSite) {
    (removeObserver as (any SimpleEventObserver) -> Void)(observer)
  }
}

extension Sequence where Element == any SimpleEventObservable {
  /// Returns whether the sequence contains an event. Events are compared by identity.
  ///
  /// - Complexity: O(n).
  public func contains(_ event: any SimpleEventObservable) -> Bool { contains { $0 === event } }
}

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
  ///   - token: Receives the new token. A token that was there is let go after the new block has been
  ///     added, which removes the old one.
  ///   - isolation: The actor that the block belongs to; by default the caller's. In debug builds a call
  ///     of the block anywhere else is flagged (E9). Pass nil for a block that may run anywhere.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  ///   - block: Called with the event: by `SimpleEvent` on the thread that triggers, otherwise on the
  ///     event's scheduler.
  /// - Complexity: Amortised O(1).
  public func addObserver(
    _ token: inout (any SimpleEventToken)?, isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line, _ block: @escaping ObserverBlock
  ) {
    token = addObserver(at: RegistrationSite(isolation: isolation, fileID: fileID, line: line), block)
  }

  /// Registers a block, and returns the token that keeps it.
  ///
  /// For optional chains and collections of tokens: `token = child?.didChange.addObserver { _ in … }`.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the block belongs to; by default the caller's.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  ///   - block: Called with the event.
  /// - Returns: The token. The block is removed when it is let go.
  /// - Complexity: Amortised O(1).
  public func addObserver(
    isolation: (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping ObserverBlock
  ) -> (any SimpleEventToken)? {
    addObserver(at: RegistrationSite(isolation: isolation, fileID: fileID, line: line), block)
  }

  /// Registers an observer, delegate style: it is held weakly.
  ///
  /// - Parameters:
  ///   - observer: Called after the observers that are there already. Remove it once: before its last
  ///     reference goes, or in its `deinit`.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  /// - Complexity: Amortised O(1).
  public func addObserver(
    _ observer: any SimpleEventObserver, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    addObserver(observer, at: RegistrationSite(isolation: nil, fileID: fileID, line: line))
  }

  /// Registers a block through the method that every conforming type has; the site is dropped.
  public func addObserver(
    at site: RegistrationSite, _ block: @escaping ObserverBlock
  ) -> (any SimpleEventToken)? {
    var token: (any SimpleEventToken)?
    // NB: by its type, or else the favoured overload is taken, which ends here again.
    let register: (inout (any SimpleEventToken)?, @escaping ObserverBlock) -> Void = addObserver
    register(&token, block)
    return token
  }

  /// Registers an observer through the method that every conforming type has; the site is dropped.
  public func addObserver(_ observer: any SimpleEventObserver, at site: RegistrationSite) {
    // NB: by its type, as above.
    let register: (any SimpleEventObserver) -> Void = addObserver
    register(observer)
  }
}

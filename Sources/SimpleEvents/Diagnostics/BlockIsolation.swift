/// The actor to which a stored block is isolated, and the place where the block was registered.
///
/// For an observer in delegate style, only the place is recorded. A release build records neither the actor
/// nor the place.
///
/// A parameter of type `@isolated(any)` receives the isolation of the closure itself. The closure is then
/// stored as a plain function. A call off the actor is an error of the user. Debug builds flag the error
/// before the block runs (E9).
package struct BlockIsolation {
  #if DEBUG
    package let site: CallSite?
    /// Whether the actor is the main actor.
    ///
    /// The main actor is never deallocated, so no reference to it is stored: a weak reference would give the
    /// main actor a side table.
    private let isOnMainActor: Bool
    /// The actor, if it is not the main actor. The reference is weak: if a block does not use its actor,
    /// storing the block must not keep the actor alive.
    private weak var otherActor: (any Actor)?
  #else
    package var site: CallSite? { nil }
  #endif

  package init(_ isolation: @autoclosure () -> (any Actor)?, at site: CallSite?) {
    #if DEBUG
      self.site = site
      let isolation = isolation()
      isOnMainActor = isolation === MainActor.shared
      otherActor = isOnMainActor ? nil : isolation
    #endif
  }

  /// Flags the coming call of the block, if the caller is off the block's actor (E9).
  ///
  /// - Parameters:
  ///   - subject: The owner of the block.
  ///   - isOfOperator: Whether the block belongs to an operator on values.
  package func flagIfOffActor(
    _ subject: @autoclosure () -> DiagnosticSubject, isOfOperator: Bool = false
  ) {
    #if DEBUG
      guard let actor = isOnMainActor ? MainActor.shared : otherActor, actor.isCurrent == false
      else { return }
      let subject = subject()
      subject.misuse.flag(.wrongIsolation(of: actor, subject, registered: site, isOfOperator: isOfOperator))
    #endif
  }
}

// SAFETY: the compiler treats a `weak` variable as mutable. This variable is set once, and the runtime loads
// it atomically.
extension BlockIsolation: @unchecked Sendable {}

/// Converts a block of one argument to a plain function, without its isolation.
// NB: the cast converts a structure that contains the function. If a function is passed to a generic
// function, or is stored in a generic structure with concrete argument types, the compiler wraps the function
// in another closure. A block of a concrete type therefore has its own structure, `StoredAction`.
@frozen @usableFromInline package struct StoredBlock<Argument> {
  /// The block as a plain function.
  @usableFromInline package let call: (Argument) -> Void

  @frozen @usableFromInline struct Isolated {
    @usableFromInline let call: @isolated(any) (Argument) -> Void

    @inlinable init(call: @escaping @isolated(any) (Argument) -> Void) { self.call = call }
  }

  @inlinable package init(_ block: @escaping @isolated(any) (Argument) -> Void) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: block), to: Self.self)
  }
}

/// Converts a block of two arguments to a plain function, without its isolation.
@frozen @usableFromInline struct StoredKeyedBlock<Key, Batch> {
  @usableFromInline let call: (Key, Batch) -> Void

  @frozen @usableFromInline struct Isolated {
    @usableFromInline let call: @isolated(any) (Key, Batch) -> Void

    @inlinable init(call: @escaping @isolated(any) (Key, Batch) -> Void) { self.call = call }
  }

  @inlinable init(_ block: @escaping @isolated(any) (Key, Batch) -> Void) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: block), to: Self.self)
  }
}

/// A block without arguments as a plain function, with its actor and the place of its registration.
package struct StoredAction {
  let origin: BlockIsolation
  /// The block as a plain function.
  package let function: () -> Void

  private struct Isolated { let call: @isolated(any) () -> Void }
  private struct Plain { let call: () -> Void }

  package init(_ block: @escaping @isolated(any) () -> Void, at site: CallSite?) {
    origin = BlockIsolation(block.isolation, at: site)
    // SAFETY: isolation is not part of a function's representation.
    function = unsafe unsafeBitCast(Isolated(call: block), to: Plain.self).call
  }

  /// Calls the block. A call off the block's actor is flagged before the block runs (E9).
  func call(_ subject: @autoclosure () -> DiagnosticSubject) {
    origin.flagIfOffActor(subject())
    function()
  }
}

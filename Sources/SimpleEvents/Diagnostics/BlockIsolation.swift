/// The actor that a stored block is isolated to, and the place where it was registered, in debug builds.
///
/// For an observer in delegate style, only the place is recorded.
///
/// Blocks are taken as `@isolated(any)`, which carries the isolation of the closure itself, and stored as
/// plain functions. A call off the actor is an error of the user, which debug builds flag before the block
/// runs (E9).
package struct BlockIsolation {
  #if DEBUG
    package let site: CallSite?
    /// The main actor is never deallocated, and a weak reference would give it a side table.
    private let isOnMainActor: Bool
    /// Weak, because a block that does not use its actor does not keep it alive.
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

  /// Flags the coming call of the block if the caller is off the block's actor (E9).
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

// SAFETY: a `weak` variable is mutable to the compiler. This one is set once, and the runtime loads it
// atomically.
extension BlockIsolation: @unchecked Sendable {}

/// A block of one argument as its user passes it, and as it is stored.
// NB: cast between structures. A function that is passed to a generic function, or stored in a generic
// structure with concrete argument types, is wrapped in a closure. Functions of concrete types therefore have
// structures of their own.
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

/// A block of two arguments as its user passes it, and as it is stored.
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

/// A block without arguments as its user passes it, and as it is stored.
package struct StoredAction {
  /// The block as a plain function.
  package let call: () -> Void

  private struct Isolated { let call: @isolated(any) () -> Void }

  package init(_ block: @escaping @isolated(any) () -> Void) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: block), to: Self.self)
  }
}

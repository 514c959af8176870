/// A block in an event's list: kept by the list, removed by its token.
class BlockObserver: ObserverEntry {
  // NB: a constant, and no optional, so that a call needs no retain and release of the block's captures.
  private let block: StoredObserverBlock

  init(_ block: @escaping @isolated(any) (any SimpleEventObservable) -> Void, at site: CallSite?) {
    self.block = StoredObserverBlock(block)
    super.init(.block, BlockIsolation(block.isolation, at: site))
  }

  final func call(_ event: any SimpleEventObservable, _ subject: @autoclosure () -> DiagnosticSubject) {
    origin.flagIfOffActor(subject())
    block.call(event)
  }
}

/// An observer's block as its user passes it, and as it is stored; see `StoredBlock`.
struct StoredObserverBlock {
  /// The block as a plain function.
  let call: SimpleEventObservable.ObserverBlock

  private struct Isolated { let call: @isolated(any) (any SimpleEventObservable) -> Void }

  init(_ block: @escaping @isolated(any) (any SimpleEventObservable) -> Void) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: block), to: Self.self)
  }
}

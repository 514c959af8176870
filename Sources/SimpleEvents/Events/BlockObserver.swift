/// The registration of a block in an event's list. The token of the block removes the registration.
class BlockObserver: ObserverEntry {
  // NB: this property is a constant and not an optional, so that a call does not retain and release the
  // block's captures.
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

/// Converts an observer's block to a plain function, without its isolation.
///
/// `StoredBlock` does the same for other blocks.
struct StoredObserverBlock {
  /// The block as a plain function.
  let call: SimpleEventObservable.ObserverBlock

  private struct Isolated { let call: @isolated(any) (any SimpleEventObservable) -> Void }

  init(_ block: @escaping @isolated(any) (any SimpleEventObservable) -> Void) {
    // SAFETY: isolation is not part of a function's representation.
    self = unsafe unsafeBitCast(Isolated(call: block), to: Self.self)
  }
}

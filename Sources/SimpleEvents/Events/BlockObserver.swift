/// A block in an event's list: kept by the list, removed by its token.
final class BlockObserver: ObserverEntry {
  // NB: a constant and not an optional: a call then needs no retain and release of the block's captures.
  private let block: SimpleEventObservable.ObserverBlock
  private let origin: BlockOrigin

  init(_ block: @escaping @isolated(any) (any SimpleEventObservable) -> Void, at site: CallSite?) {
    origin = BlockOrigin(block.isolation, at: site)
    // SAFETY: see BlockOrigin.
    self.block = unsafe unsafeBitCast(block, to: SimpleEventObservable.ObserverBlock.self)
    super.init(isWeak: false, at: site)
  }

  func call(_ event: any SimpleEventObservable, _ subject: @autoclosure () -> DiagnosticSubject) {
    origin.flagIfElsewhere(subject())
    block(event)
  }
}

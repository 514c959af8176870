/// A block in an event's list: kept by the list, removed by its token.
final class BlockObserver: ObserverEntry {
  // NB: a constant, and no optional: a call then needs no retain and release of what the block captured.
  private let block: SimpleEventObservable.ObserverBlock

  init(_ block: @escaping SimpleEventObservable.ObserverBlock, at site: RegistrationSite?) {
    self.block = block
    super.init(isWeak: false, at: site)
  }

  func call(_ event: any SimpleEventObservable) {
    block(event)
  }
}

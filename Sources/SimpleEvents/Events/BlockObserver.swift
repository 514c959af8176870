/// A block in an event's list: kept by its entry there, removed by its token.
final class BlockObserver: ObserverEntry {
  /// Nil once the event is gone. NB: written then only, when no cycle is in progress and none can start.
  private var block: SimpleEventObservable.ObserverBlock?

  init(_ block: @escaping SimpleEventObservable.ObserverBlock, at site: RegistrationSite) {
    self.block = block
    super.init(isWeak: false, at: site)
  }

  func call(_ event: any SimpleEventObservable) {
    block?(event)
  }

  /// Lets go of the block, while a token may keep the entry.
  func disown() {
    block = nil
  }
}

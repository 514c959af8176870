/// A block in a hub: owned by its entry there, removed by its token.
final class BlockObserver: SimpleEventObserver {
  private let block: (any SimpleEventObservable) -> Void
  #if DEBUG
    private let site: RegistrationSite
    private let misuse: MisuseHandler
    private let hubName: String
  #endif

  init(
    _ block: @escaping (any SimpleEventObservable) -> Void, at site: RegistrationSite,
    in hub: ObserverHub<any SimpleEventObserver>
  ) {
    self.block = block
    #if DEBUG
      self.site = site
      misuse = hub.misuse
      hubName = hub.name
    #endif
  }

  func simpleEventDidTrigger(_ event: any SimpleEventObservable) {
    #if DEBUG
      if misuse.isActive, let isolation = site.isolation, !isolation.isCurrent {
        misuse.flag(
          Misuse(
            .wrongIsolation,
            """
            A block that was added to \(hubName) on \(isolation) is being called elsewhere. Let the event deliver \
            there (a main actor's block needs the main queue), or add the block with isolation: nil if it may \
            run anywhere. It was added at \(site).
            """, at: site))
      }
    #endif
    block(event)
  }
}

/// What keeps a block in a hub.
///
/// It holds the hub, not the event: an event that goes away empties its hub, so that a token which is
/// kept longer holds an empty shell.
final class BlockToken: SimpleEventToken {
  private let hub: ObserverHub<any SimpleEventObserver>
  /// Guards the registration; taken by the first removal.
  private let entry: Guarded<ObserverEntry<any SimpleEventObserver>?>

  init(hub: ObserverHub<any SimpleEventObserver>, entry: ObserverEntry<any SimpleEventObserver>) {
    self.hub = hub
    self.entry = Guarded(entry)
  }

  deinit {
    remove()
  }

  func remove() {
    let entry = entry.withLock { entry -> ObserverEntry<any SimpleEventObserver>? in
      defer { entry = nil }
      return entry
    }
    if let entry {
      hub.uninstall(entry)
    }
    // The entry, and the block with it, is let go here, outside both locks, or by the cycle in progress.
  }
}

// How every event here observes and notifies.
extension ObserverHub where T == any SimpleEventObserver {
  func observe(
    at site: RegistrationSite, _ block: @escaping (any SimpleEventObservable) -> Void
  ) -> any SimpleEventToken {
    let observer = BlockObserver(block, at: site, in: self)
    return BlockToken(hub: self, entry: install(observer, object: observer, at: site))
  }

  func notify(_ event: any SimpleEventObservable) {
    forEach { $0.simpleEventDidTrigger(event) }
  }
}

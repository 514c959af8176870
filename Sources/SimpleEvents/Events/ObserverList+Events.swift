// How every event here observes and notifies.
extension ObserverList {
  func observe(
    at site: RegistrationSite?, _ block: @escaping SimpleEventObservable.ObserverBlock
  ) -> any SimpleEventToken {
    let entry = BlockObserver(block, at: site)
    install(entry)
    return BlockToken(entry, in: self)
  }

  func add(_ observer: any SimpleEventObserver, at site: RegistrationSite?) {
    add(WeakObserver(observer, as: (any SimpleEventObserver).self, object: observer, at: site), at: site)
  }

  func notify(_ event: any SimpleEventObservable) {
    cycle { entry in
      if entry.isWeak {
        let entry = unsafeDowncast(entry, to: WeakObserver.self)
        guard let observer = entry.observer(as: (any SimpleEventObserver).self) else { return .foundDead }
        observer.simpleEventDidTrigger(event)
      } else {
        #if DEBUG
          flagIfElsewhere(entry)
        #endif
        unsafeDowncast(entry, to: BlockObserver.self).call(event)
      }
      return .called
    }
  }
}

#if DEBUG
  extension ObserverList {
    /// Flags the call of a block that belongs to an actor which the caller is not on (E9).
    private func flagIfElsewhere(_ entry: ObserverEntry) {
      guard let isolation = entry.isolation, misuse.isActive, !isolation.isCurrent else { return }
      misuse.flag(
        Misuse(
          .wrongIsolation,
          """
          A block that was added to \(name) on \(isolation) is being called elsewhere. Let the event deliver \
          there (a main actor's block needs the main queue), or add the block with isolation: nil if it may \
          run anywhere. \(origin(entry))
          """, at: entry.site))
    }
  }
#endif

/// The outcome of a visit to one observer in a cycle.
@usableFromInline enum Visit {
  case called
  /// The observer has been deallocated.
  case foundDead
  /// The observer was called, and the cycle ends with it (H4).
  case stopped
}

extension ObserverList {
  /// Visits the observers that are in the list now, in order, except for the ones that are removed before their turn (H3).
  ///
  /// - Parameter visit: Calls the observer, under no lock.
  @usableFromInline @inline(__always)
  func cycle(_ visit: (ObserverEntry) -> Visit) {
    let (slots, isWatched) = state.withLock { ($0.slots, $0.isWatched) }
    let watched = isWatched ? beginWatching() : nil
    var dead: [WeakObserver] = []
    defer {
      state.didReadCopy()
      if let watched { endWatching(watched) }
      if !dead.isEmpty { bury(dead) }
    }
    slots.forEach { entry in
      guard !entry.isRemoved else { return true }
      watched?.current = entry
      let visit = visit(entry)
      if visit == .foundDead, let entry = entry as? WeakObserver { dead.append(entry) }
      return visit != .stopped
    }
  }

  // NB: never inlined, here and below, so that a cycle that is not watched takes no stack for it.
  @inline(never) private func beginWatching() -> WatchedCycle {
    let cycle = WatchedCycle()
    state.withLock { $0.details?.watch?.begin(cycle) }
    if let outer = cycle.outer { flag(.nestedCycle(of: subject, by: outer.current)) }
    return cycle
  }

  @inline(never) private func endWatching(_ cycle: WatchedCycle) {
    state.withLock { $0.details?.watch?.end(cycle) }
  }
}

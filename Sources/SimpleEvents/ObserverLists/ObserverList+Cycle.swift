/// The outcome of a visit to one observer in a cycle.
@usableFromInline enum CallOutcome {
  case called
  /// The observer has been deallocated.
  case deallocated
  /// The observer was called, and the call ends the cycle (H4).
  case stopped
}

extension ObserverList {
  /// Visits the observers that are in the list now, in order, except for observers that are removed before
  /// their turn (H3).
  ///
  /// - Parameter visit: The function that calls an observer. It is called under no lock. Its second argument
  ///   is the kind of the entry.
  @usableFromInline @inline(__always)
  func cycle(_ visit: (ObserverEntry, ObserverEntry.Kind) -> CallOutcome) {
    let (retained, isWatched) = state.withLock { ($0.retained, $0.isWatched) }
    let deallocated = isWatched ? watchedCycle(over: retained, visit) : cycle(over: retained, visit)
    state.didReadCopy(retained)
    if !deallocated.isEmpty { removeDeallocated(deallocated) }
  }

  /// - Returns: The observers that were found deallocated.
  @inline(__always)
  private func cycle(
    over retained: Entries.Retained, _ visit: (ObserverEntry, ObserverEntry.Kind) -> CallOutcome
  ) -> [WeakObserver] {
    var deallocated: [WeakObserver] = []
    retained.forEach { entry in
      let kind = entry.kind
      guard kind != .removed else { return true }
      let visit = visit(entry, kind)
      if visit == .deallocated, let entry = entry as? WeakObserver { deallocated.append(entry) }
      return visit != .stopped
    }
    return deallocated
  }

  // NB: this function and the next one are never inlined, so that a cycle that is not watched needs neither
  // stack nor time for them.
  @inline(never)
  private func watchedCycle(
    over retained: Entries.Retained, _ visit: (ObserverEntry, ObserverEntry.Kind) -> CallOutcome
  ) -> [WeakObserver] {
    let watched = beginWatching()
    defer { state.withLock { $0.details?.watch?.end(watched) } }
    return cycle(over: retained) { entry, kind in
      watched.current = entry
      return visit(entry, kind)
    }
  }

  @inline(never) private func beginWatching() -> WatchedCycle {
    let cycle = WatchedCycle()
    state.withLock { $0.details?.watch?.begin(cycle) }
    if let outer = cycle.outer?.current {
      flag(.nestedCycle(of: subject, by: outer.observerName, added: outer.site))
    }
    return cycle
  }
}

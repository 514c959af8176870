/// The outcome of a visit to one observer in a cycle.
@usableFromInline
enum Visit {
  case called
  /// The observer has been deallocated.
  case foundDead
  /// The observer was called, and the cycle ends with it (H4).
  case stopped
}

extension ObserverList {
  /// Visits the observers that are in the list now, in order, except for the ones that are removed meanwhile (H3).
  ///
  /// - Parameter visit: Calls the observer, under no lock.
  @usableFromInline
  func cycle(_ visit: (ObserverEntry) -> Visit) {
    let (slots, isWatched) = state.withLock { ($0.slots, $0.isWatched) }
    let watched = isWatched ? beginWatching() : nil
    var dead: [WeakObserver] = []
    defer {
      if let watched {
        state.withLock { $0.details?.watch.end(watched) }
      }
      bury(dead)
    }
    // SAFETY: `slots` holds the entries until the end of the cycle, so they need not be retained and released one by one.
    // A slot has the representation of an optional unmanaged reference.
    unsafe slots.withUnsafeBytes { bytes in
      for unsafe slot in unsafe bytes.assumingMemoryBound(to: Unmanaged<ObserverEntry>?.self) {
        guard let slot = unsafe slot else { continue }
        let isStopped = unsafe slot._withUnsafeGuaranteedRef { entry in
          guard !entry.isRemoved else { return false }
          watched?.current = entry
          let visit = visit(entry)
          if visit == .foundDead, let entry = entry as? WeakObserver {
            dead.append(entry)
          }
          return visit == .stopped
        }
        if isStopped { return }
      }
    }
  }

  private func beginWatching() -> WatchedCycle {
    let cycle = WatchedCycle()
    state.withLock { $0.details?.watch.begin(cycle) }
    if let outer = cycle.outer {
      flag(.nestedCycle(of: subject, by: outer.current))
    }
    return cycle
  }
}

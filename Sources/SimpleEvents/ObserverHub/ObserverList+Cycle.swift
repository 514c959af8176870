/// What came of visiting one observer in a cycle.
@usableFromInline
enum Visit {
  case called
  case foundDead
  /// It was called, and the cycle is to end with it (H4).
  case stopped
}

extension ObserverList {
  /// Visits the observers that are there now, in order, without those that are removed meanwhile (H3).
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
    // The cycle holds the slots, and they hold the entries: no need to retain and release each of those.
    slots.withUnsafeBytes { bytes in
      for slot in bytes.assumingMemoryBound(to: Unmanaged<ObserverEntry>?.self) {
        guard let slot else { continue }
        let isStopped = slot._withUnsafeGuaranteedRef { entry in
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
      flagNested(in: outer)
    }
    return cycle
  }
}

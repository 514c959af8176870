// How a hub's list changes: every change leaves slots that later ones tidy up.
extension ObserverHub {
  static var smallestSweep: Int { 32 }

  /// How many places the list has, vacated ones included; for tests of what it costs (H9).
  package var slotCount: Int {
    state.withLock { $0.entries.count }
  }

  func add(_ observer: T, at site: RegistrationSite) {
    guard let object = object(of: observer) else {
      return flagNotAnObject(observer, "added to", at: site)
    }
    let entry = ObserverEntry(observer, object: object, isOwned: false, site: site)
    let (present, needsSweep) = state.withLock { state -> (ObserverEntry<T>?, Bool) in
      state.watch.visit(if: misuse.isActive)
      // NB: a weak load under the lock cannot free the object: the caller holds whatever lives at this
      // address, so the entry found here is that very object or one that is dead for good.
      let present = state.byID[entry.id]
      if let present {
        guard !present.isAlive else { return (present, false) }
        state.detach(present)
      }
      state.byID[entry.id] = entry
      return (present, state.append(entry))
    }
    if let present {
      flagPresent(present, adding: object, at: site)
    }
    if needsSweep {
      sweep()
    }
  }

  /// Adds an observer that the hub keeps alive until it is uninstalled.
  func install(_ observer: T, object: AnyObject, at site: RegistrationSite) -> ObserverEntry<T> {
    let entry = ObserverEntry(observer, object: object, isOwned: true, site: site)
    if state.withLock({ $0.append(entry) }) {
      sweep()
    }
    return entry
  }

  /// Removes an installed observer; does nothing if that has happened before.
  func uninstall(_ entry: ObserverEntry<T>) {
    state.withLock { $0.detach(entry) }
  }

  /// Removes everybody, for the `deinit` of the hub's owner.
  ///
  /// A cycle of an event holds the event, so none is in progress then, and none can start.
  func removeAll() {
    flagSuspects()
    let entries = state.withLock { state -> ContiguousArray<ObserverEntry<T>?> in
      let entries = state.entries
      for case let entry? in entries {
        entry.markRemoved()
        entry.position = nil
      }
      state.entries = []
      state.byID = [:]
      state.count = 0
      return entries
    }
    // Tokens may keep entries, but not what those own. That is let go after the lock.
    for case let entry? in entries {
      entry.disown()
    }
  }

  /// Takes dead observers off the list, and flags them as far as they are certain to stay (H6).
  func bury(_ dead: [ObserverEntry<T>]) {
    guard !dead.isEmpty else { return }
    let certain = state.withLock { state -> [ObserverEntry<T>] in
      dead.filter { entry in
        guard entry.position != nil else { return false }
        state.detach(entry)
        if misuse.isActive && state.watch.isShared {
          // It may be in its `deinit` on another thread this very moment, about to remove itself.
          return false
        }
        state.byID[entry.id] = nil
        return true
      }
    }
    for entry in certain {
      flagNeverRemoved(entry)
    }
  }

  private func sweep() {
    let entries = state.withLock { $0.entries }
    bury(entries.compactMap { $0 }.filter { !$0.isAlive })
    state.withLock { $0.sweepLength = max(Self.smallestSweep, 2 * $0.count) }
  }

  /// The observer as an object, nil if it is a value.
  func object(of observer: T) -> AnyObject? {
    type(of: observer as Any) is AnyClass ? observer as AnyObject : nil
  }
}

extension ObserverHub.State {
  /// Appends an entry; returns whether it is time to look for dead ones.
  mutating func append(_ entry: ObserverEntry<T>) -> Bool {
    entry.position = entries.count
    entries.append(entry)
    count += 1
    return count >= sweepLength
  }

  /// Takes an entry off the list, if it is there. The caller holds a reference to it.
  mutating func detach(_ entry: ObserverEntry<T>) {
    entry.markRemoved()
    guard let position = entry.position else { return }
    entry.position = nil
    entries[position] = nil
    count -= 1
    while case .some(.none) = entries.last {
      entries.removeLast()
    }
    // Half of the slots empty pays for the copy: each slot emptied was one removal (H8).
    if entries.count > 2 * count + 8 {
      entries = ContiguousArray(entries.lazy.filter { $0 != nil })
      for (position, entry) in entries.enumerated() {
        entry?.position = position
      }
    }
  }
}

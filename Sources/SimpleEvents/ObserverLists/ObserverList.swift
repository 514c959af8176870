/// The observers of a hub or an event, in order, and the cycles over them.
///
/// The list knows neither the type of the observers nor how to call them, so the same compiled code serves
/// all hubs and events.
@usableFromInline final class ObserverList {
  typealias Entries = EntryList<ObserverEntry, ListDetails>

  /// Guards the entries and the details. Entries are released after the lock is released.
  let state: Guarded<Entries>

  /// - Parameters:
  ///   - subject: The subject of diagnostics: the hub or event.
  ///   - isShared: Whether observers may be deallocated on a thread that does not use the list. If so, a
  ///     deallocated observer is not flagged immediately: on the other thread, its `deinit` may be about to
  ///     remove it.
  init(_ subject: DiagnosticSubject, isShared: Bool) {
    var entries = Entries()
    if subject.needsDiagnostics {
      entries.makeOthers().watch = ListDiagnostics(subject, isShared: isShared)
    }
    state = Guarded(entries)
  }

  deinit { state.withLock { $0 }.flagUnremoved() }

  /// Whether the list has no observer. A deallocated observer does not count.
  var isEmpty: Bool {
    let retained = state.withLock { $0.retained }
    var deallocated: [WeakObserver] = []
    defer {
      state.didReadCopy(retained)
      removeDeallocated(deallocated)
    }
    func isLive(_ entry: ObserverEntry?) -> Bool {
      guard let entry, !entry.isRemoved else { return false }
      guard let observer = entry as? WeakObserver, !observer.isAlive else { return true }
      deallocated.append(observer)
      return false
    }
    // The search starts at the end. The last slot is not empty, so the search visits no empty slots if the
    // last observer is alive.
    return !(retained.others ?? []).reversed().contains(where: isLive) && !isLive(retained.first)
  }

  /// The entries that are in the list now.
  ///
  /// - Complexity: O(n).
  var entries: [ObserverEntry] {
    let retained = state.withLock { $0.retained }
    defer { state.didReadCopy(retained) }
    return retained.entries
  }

  /// Removes an entry from the list, unless the entry was already removed.
  ///
  /// - Parameter takeEntry: The function that takes the entry from its token. It is called under the lock, so
  ///   that no removal returns before the entry has left the list (E5). It is not called if the list is
  ///   closed.
  func remove(_ takeEntry: () -> ObserverEntry?) {
    let entry = state.withLock { state -> ObserverEntry? in
      guard !state.isClosed, let entry = takeEntry() else { return nil }
      state.remove(entry)
      return entry
    }
    // The entry and its block are released here, after the lock is released, or by the cycle in progress.
    withExtendedLifetime(entry) {}
  }

  /// Adds a weak observer, unless it is in the list.
  func add(_ entry: WeakObserver, at site: CallSite?) {
    let (present, needsSweep) = state.withLock { state -> (ObserverEntry?, Bool) in
      let details = state.makeOthers()
      details.watch?.noteThread()
      // SAFETY: checking the old entry under the lock cannot release an object. Either the entry refers to
      // the object that the caller retains, or its object is deallocated.
      let present = details.byID[entry.id]
      if let present {
        guard !present.isAlive else { return (present, false) }
        state.remove(present)
      }
      details.setWeak(entry, for: entry.id)
      state.append(entry)
      return (present, state.count >= details.sweepLength)
    }
    if let present { flagPresent(present, at: site) }
    if needsSweep { sweep() }
  }

  /// Removes a weak observer, if it is in the list.
  func remove(_ object: AnyObject, at site: CallSite?) {
    let (entry, isWatched) = state.withLock { state -> (ObserverEntry?, Bool) in
      guard let details = state.details else { return (nil, false) }
      details.watch?.noteThread()
      let entry = details.setWeak(nil, for: ObjectIdentifier(object))
      if let entry { state.remove(entry) }
      return (entry, state.isWatched)
    }
    if isWatched { flagRemoval(of: entry, object, at: site) }
    // The entry is released here, after the lock is released.
  }

  /// Removes all entries and closes the list, in the `deinit` of an event. The caller releases the returned
  /// entries.
  ///
  /// A cycle of an event retains the event, so no cycle is in progress, and no cycle can start. Other threads
  /// may be about to remove entries with tokens.
  @discardableResult func close() -> Entries {
    let last = unsafe state.exchange(Entries(others: .closed))
    last.flagUnremoved()
    return last
  }

  /// Removes deallocated observers. Each observer is flagged, unless its `deinit` may still remove it (H6).
  @inline(never) func removeDeallocated(_ deallocated: [WeakObserver]) {
    guard !deallocated.isEmpty else { return }
    let certain = state.withLock { state -> [WeakObserver] in
      deallocated.filter { entry in
        guard entry.position >= 0 else { return false }
        state.remove(entry)
        // The `deinit` of the observer may be running on another thread, and may be about to remove the
        // observer.
        let mayBeRemoved = state.isWatched && state.details?.watch?.isShared == true
        state.details?.setWeak(mayBeRemoved ? DeallocatedObserver(entry) : nil, for: entry.id)
        return !mayBeRemoved
      }
    }
    for entry in certain { flagNeverRemoved(entry) }
  }

  private func sweep() {
    let entries = self.entries
    removeDeallocated(entries.compactMap { $0 as? WeakObserver }.filter { !$0.isAlive })
    state.withLock { $0.details?.sweepLength = max(ListDetails.smallestSweep, 2 * $0.count) }
  }
}

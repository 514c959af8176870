/// The observers of a hub or an event, in order, and the cycles over them.
///
/// It knows neither the type of the observers nor how to call them, so that one compiled list serves all.
@usableFromInline
final class ObserverList {
  typealias Slots = ContiguousArray<ObserverEntry?>

  struct State {
    /// The observers in order, nil where one was removed. A cycle retains the array that it started with; a
    /// change then copies it, so that no cycle sees the change (H3).
    var slots: Slots = []
    /// Made when it is first needed, because every observed event has a list.
    var details: ListDetails?

    var isWatched: Bool { details?.isWatched ?? false }
  }

  /// Guards the list of observers and its details. Entries are released after the lock.
  let state: Guarded<State>

  /// - Parameters:
  ///   - subject: The hub or event in diagnostics.
  ///   - isShared: Whether observers may be deallocated on another thread than the one that finds them so. Such a
  ///     find proves no misuse yet: the other thread may be inside a `deinit` that is about to remove the observer.
  init(_ subject: DiagnosticSubject, isShared: Bool) {
    state = Guarded(State(details: subject.isNotable ? ListDetails(subject, isShared: isShared) : nil))
  }

  deinit {
    flagSuspects()
  }

  /// Whether the list has no observer. A deallocated observer does not count.
  var isEmpty: Bool {
    var dead: [WeakObserver] = []
    defer { bury(dead) }
    // From the end, where no slot is empty: the empty slots of removed observers are before it.
    for case let entry? in state.withLock({ $0.slots }).reversed() where !entry.isRemoved {
      guard let weakObserver = entry as? WeakObserver, !weakObserver.isAlive else { return false }
      dead.append(weakObserver)
    }
    return true
  }

  /// Adds an entry that the list keeps.
  func install(_ entry: ObserverEntry) {
    state.withLock { $0.append(entry) }
  }

  /// Removes an entry that was installed, unless a removal has come before.
  ///
  /// - Parameter takeEntry: Takes the entry from its token, under the lock, so that no removal returns before the entry
  ///   is off the list (E5). Called only while the list holds the entry.
  func uninstall(_ takeEntry: () -> ObserverEntry?) {
    let entry = state.withLock { state -> ObserverEntry? in
      guard state.details?.isClosed != true, let entry = takeEntry() else { return nil }
      state.detach(entry)
      return entry
    }
    // The entry and its block are released here, after the lock, or by the cycle in progress.
    withExtendedLifetime(entry) {}
  }

  /// Adds a weak observer, unless it is in the list.
  func add(_ entry: WeakObserver, at site: CallSite?) {
    let (present, needsSweep) = state.withLock { state -> (ObserverEntry?, Bool) in
      let details = state.makeDetails()
      if details.isWatched {
        details.watch.visit()
      }
      // SAFETY: this asks under the lock whether an object is alive, but cannot release it: the caller holds the object
      // at this address, so the entry is that object's own, or one of a deallocated object.
      let present = details.byID[entry.id]
      if let present {
        guard !present.isAlive else { return (present, false) }
        state.detach(present)
      }
      details.byID[entry.id] = entry
      state.append(entry)
      return (present, state.count >= details.sweepLength)
    }
    if let present {
      flagPresent(present, at: site)
    }
    if needsSweep {
      sweep()
    }
  }

  /// Removes a weak observer, if it is in the list.
  func remove(_ object: AnyObject, at site: CallSite?) {
    let (entry, isWatched) = state.withLock { state -> (ObserverEntry?, Bool) in
      guard let details = state.details else { return (nil, false) }
      if details.isWatched {
        details.watch.visit()
      }
      let entry = details.byID.removeValue(forKey: ObjectIdentifier(object))
      if let entry {
        state.detach(entry)
      }
      return (entry, details.isWatched)
    }
    if isWatched {
      flagRemoval(of: entry, object, at: site)
    }
    // The entry is released here, after the lock.
  }

  /// Removes all entries for good, in the `deinit` of an event.
  ///
  /// A cycle of an event retains the event, so none is in progress, and none can start. Tokens may be about to remove
  /// their entries.
  func close() {
    flagSuspects()
    let slots = state.withLock { state -> Slots in
      // In an empty list, no token has an entry to remove.
      state.details?.byID = [:]
      guard !state.slots.isEmpty else { return [] }
      state.makeDetails().isClosed = true
      defer { state.slots = [] }
      return state.slots
    }
    // The captures of the entries are released here, after the lock.
    withExtendedLifetime(slots) {}
  }

  /// Takes deallocated observers off the list, and flags those whose `deinit` cannot remove them any more (H6).
  func bury(_ dead: [WeakObserver]) {
    guard !dead.isEmpty else { return }
    let certain = state.withLock { state -> [WeakObserver] in
      dead.filter { entry in
        guard entry.position >= 0 else { return false }
        state.detach(entry)
        // Its `deinit` may be running on another thread at this moment, about to remove it.
        let mayBeRemoved = state.isWatched && state.details?.watch.isShared == true
        state.details?.byID[entry.id] = mayBeRemoved ? LostObserver(entry) : nil
        return !mayBeRemoved
      }
    }
    for entry in certain {
      flagNeverRemoved(entry)
    }
  }

  private func sweep() {
    let slots = state.withLock { $0.slots }
    bury(slots.compactMap { $0 as? WeakObserver }.filter { !$0.isAlive })
    state.withLock { $0.details?.sweepLength = max(ListDetails.smallestSweep, 2 * $0.count) }
  }
}

extension ObserverList.State {
  /// The number of slots that are not empty.
  var count: Int { slots.count - (details?.vacancies ?? 0) }

  mutating func makeDetails() -> ListDetails {
    if let details {
      return details
    }
    // A list that is watched has its details from the start.
    let details = ListDetails(ObserverList.unnamed, isShared: true)
    self.details = details
    return details
  }

  mutating func append(_ entry: ObserverEntry) {
    entry.position = Int32(slots.count)
    slots.append(entry)
  }

  /// Takes an entry off the list, if it is in there. The caller holds a reference to it.
  mutating func detach(_ entry: ObserverEntry) {
    entry.markRemoved()
    guard entry.position >= 0 else { return }
    let position = Int(entry.position)
    entry.position = -1
    if position == slots.count - 1 {
      slots.removeLast()
      while case .some(.none) = slots.last {
        slots.removeLast()
        details?.vacancies -= 1
      }
      return
    }
    slots[position] = nil
    let details = makeDetails()
    details.vacancies += 1
    // The copy is amortised by the removals that emptied half of the slots (H8).
    if details.vacancies > count + 8 {
      slots = ObserverList.Slots(slots.lazy.filter { $0 != nil })
      details.vacancies = 0
      for (position, entry) in slots.enumerated() {
        entry?.position = Int32(position)
      }
    }
  }
}

/// What a hub and an event have in common: observers in order, and cycles over them.
///
/// It knows neither the type of the observers nor how to call them, so that one compiled list serves all.
@usableFromInline
final class ObserverList {
  typealias Slots = ContiguousArray<ObserverEntry?>

  struct State {
    /// The observers in order, nil where one was removed. A cycle holds on to the array it started
    /// with; a change then copies it, so that no cycle ever sees one (H3).
    var slots: Slots = []
    /// What is kept once there is a need for it. NB: all else is in there, since there is a list in every
    /// event that is observed.
    var details: ListDetails?

    var isWatched: Bool { details?.isWatched ?? false }
  }

  /// Guards the list of observers and its details.
  let state: Guarded<State>

  /// - Parameters:
  ///   - label: What diagnostics call the list, nil for the owner's type.
  ///   - misuse: What to do when an observer is mistreated.
  ///   - owner: The type of the hub or event.
  ///   - isShared: Whether observers may die on other threads than the one that finds them dead, so that
  ///     finding one proves nothing yet. The first visit of another thread may come out of a `deinit`: too
  ///     late to tell.
  init(label: String?, misuse: MisuseHandler, owner: Any.Type, isShared: Bool) {
    let details =
      misuse.isActive || label != nil
      ? ListDetails(label: label, misuse: misuse, owner: owner, isShared: isShared) : nil
    state = Guarded(State(details: details))
  }

  deinit {
    flagSuspects()
  }

  /// Whether nobody is listening. A dead observer does not count.
  var isEmpty: Bool {
    var dead: [WeakObserver] = []
    defer { bury(dead) }
    // NB: from the end, where no slot is empty; those of observers that were removed pile up before it.
    for case let entry? in state.withLock({ $0.slots }).reversed() where !entry.isRemoved {
      guard let weakObserver = entry as? WeakObserver, !weakObserver.isAlive else { return false }
      dead.append(weakObserver)
    }
    return true
  }

  /// Adds an entry that the list is to keep.
  func install(_ entry: ObserverEntry) {
    state.withLock { $0.append(entry) }
  }

  /// Removes an entry that was installed, once: until then the list holds it, unless it is closed.
  func uninstall(_ entry: Unmanaged<some ObserverEntry>) {
    let entry = state.withLock { state -> ObserverEntry? in
      guard state.details?.isClosed != true else { return nil }
      let entry = entry.takeUnretainedValue()
      state.detach(entry)
      return entry
    }
    // The entry, and the block with it, is let go here, after the lock, or by the cycle in progress.
    withExtendedLifetime(entry) {}
  }

  /// Adds a weak observer, unless it is there.
  func add(_ entry: WeakObserver, at site: RegistrationSite?) {
    let (present, needsSweep) = state.withLock { state -> (ObserverEntry?, Bool) in
      let details = state.makeDetails()
      details.watch.visit(if: state.isWatched)
      // NB: to ask whether it is alive cannot free the object, though under the lock: the caller holds
      // whatever lives at this address, so the entry is that very object's, or a dead one's for good.
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

  /// Removes a weak observer, if it is there.
  func remove(_ object: AnyObject) {
    let (entry, isWatched) = state.withLock { state -> (ObserverEntry?, Bool) in
      guard let details = state.details else { return (nil, state.isWatched) }
      details.watch.visit(if: state.isWatched)
      let entry = details.byID.removeValue(forKey: ObjectIdentifier(object))
      if let entry {
        state.detach(entry)
      }
      return (entry, state.isWatched)
    }
    if isWatched {
      flagRemoval(of: entry, object)
    }
    // The entry is let go here: after the lock.
  }

  /// Lets go of everybody for good, in the `deinit` of an event.
  ///
  /// A cycle of an event holds the event, so none is in progress then, and none can start. Tokens may be
  /// about to remove their entries.
  func close() {
    flagSuspects()
    let slots = state.withLock { state -> Slots in
      // With nobody there, no token has anything to remove.
      state.details?.byID = [:]
      guard !state.slots.isEmpty else { return [] }
      state.makeDetails().isClosed = true
      defer { state.slots = [] }
      return state.slots
    }
    // What the entries captured is let go here: after the lock.
    withExtendedLifetime(slots) {}
  }

  /// Takes dead observers off the list, and flags them as far as they are certain to stay (H6).
  func bury(_ dead: [WeakObserver]) {
    guard !dead.isEmpty else { return }
    let certain = state.withLock { state -> [WeakObserver] in
      dead.filter { entry in
        guard entry.position >= 0 else { return false }
        state.detach(entry)
        // It may be in its `deinit` on another thread this very moment, about to remove itself.
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
  /// How many slots are not empty.
  var count: Int { slots.count - (details?.vacancies ?? 0) }

  mutating func makeDetails() -> ListDetails {
    if let details {
      return details
    }
    // Somebody who watched would have asked for details from the start.
    let details = ListDetails(label: nil, misuse: .debugTrap, owner: nil, isShared: true)
    self.details = details
    return details
  }

  mutating func append(_ entry: ObserverEntry) {
    entry.position = Int32(slots.count)
    slots.append(entry)
  }

  /// Takes an entry off the list, if it is there. The caller holds a reference to it.
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
    // Half of the slots empty pays for the copy: each slot emptied was one removal (H8).
    if details.vacancies > count + 8 {
      slots = ObserverList.Slots(slots.lazy.filter { $0 != nil })
      details.vacancies = 0
      for (position, entry) in slots.enumerated() {
        entry?.position = Int32(position)
      }
    }
  }
}

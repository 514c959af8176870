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
    /// What is kept for weak observers and for diagnostics, once there is a need for it.
    var details: ListDetails?
    /// How many slots are not nil.
    var count: Int32 = 0
    /// Whether somebody wants to know of misuse.
    let isWatched: Bool
  }

  /// The type that diagnostics speak of where there is no label.
  let owner: Any.Type
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
    self.owner = owner
    let isWatched = misuse.isActive
    let details =
      isWatched || label != nil ? ListDetails(label: label, misuse: misuse, isShared: isShared) : nil
    state = Guarded(State(details: details, isWatched: isWatched))
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

  /// Adds an entry that owns its observer.
  func install(_ entry: ObserverEntry) {
    state.withLock { $0.append(entry) }
  }

  /// Removes an installed entry; does nothing if that has happened before.
  func uninstall(_ entry: ObserverEntry) {
    state.withLock { $0.detach(entry) }
  }

  /// Adds a weak observer, unless it is there.
  func add(_ entry: WeakObserver, at site: RegistrationSite) {
    let (present, needsSweep) = state.withLock { state -> (WeakObserver?, Bool) in
      let details = state.makeDetails()
      details.watch.visit(if: state.isWatched)
      // NB: a weak load under the lock cannot free the object: the caller holds whatever lives at this
      // address, so the entry found here is that very object or one that is dead for good.
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
    let (entry, isWatched) = state.withLock { state -> (WeakObserver?, Bool) in
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

  /// Takes everybody off the list, for the `deinit` of an event, and returns who was there.
  ///
  /// A cycle of an event holds the event, so none is in progress then, and none can start.
  func removeAll() -> Slots {
    flagSuspects()
    return state.withLock { state -> Slots in
      let slots = state.slots
      for case let entry? in slots {
        entry.markRemoved()
        entry.position = -1
      }
      state.slots = []
      state.details?.byID = [:]
      state.count = 0
      return slots
    }
  }

  /// Takes dead observers off the list, and flags them as far as they are certain to stay (H6).
  func bury(_ dead: [WeakObserver]) {
    guard !dead.isEmpty else { return }
    let certain = state.withLock { state -> [WeakObserver] in
      dead.filter { entry in
        guard entry.position >= 0 else { return false }
        state.detach(entry)
        if state.isWatched && state.details?.watch.isShared == true {
          // It may be in its `deinit` on another thread this very moment, about to remove itself.
          return false
        }
        state.details?.byID[entry.id] = nil
        return true
      }
    }
    for entry in certain {
      flagNeverRemoved(entry)
    }
  }

  private func sweep() {
    let slots = state.withLock { $0.slots }
    bury(slots.compactMap { $0 as? WeakObserver }.filter { !$0.isAlive })
    state.withLock { $0.details?.sweepLength = max(ListDetails.smallestSweep, 2 * Int($0.count)) }
  }
}

extension ObserverList.State {
  mutating func makeDetails() -> ListDetails {
    if let details {
      return details
    }
    // Somebody who watched would have asked for details from the start.
    let details = ListDetails(label: nil, misuse: .debugTrap, isShared: true)
    self.details = details
    return details
  }

  mutating func append(_ entry: ObserverEntry) {
    entry.position = Int32(slots.count)
    slots.append(entry)
    count += 1
  }

  /// Takes an entry off the list, if it is there. The caller holds a reference to it.
  mutating func detach(_ entry: ObserverEntry) {
    entry.markRemoved()
    guard entry.position >= 0 else { return }
    slots[Int(entry.position)] = nil
    entry.position = -1
    count -= 1
    while case .some(.none) = slots.last {
      slots.removeLast()
    }
    // Half of the slots empty pays for the copy: each slot emptied was one removal (H8).
    if slots.count > 2 * Int(count) + 8 {
      slots = ObserverList.Slots(slots.lazy.filter { $0 != nil })
      for (position, entry) in slots.enumerated() {
        entry?.position = Int32(position)
      }
    }
  }
}

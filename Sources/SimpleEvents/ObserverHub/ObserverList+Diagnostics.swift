// What is said about misuse: the hub, the observer's type, what is wrong, what to do, and where from.
extension ObserverList {
  /// Under the lock, since details may be made at any time; they never change.
  var label: String? { state.withLock { $0.details?.label } }
  var misuse: MisuseHandler { state.withLock { $0.details?.misuse } ?? .debugTrap }

  var name: String {
    label.map { "\"\($0)\"" } ?? ownerName
  }

  var ownerName: String {
    state.withLock { $0.details?.owner }.map { "\($0)" } ?? "ObserverList"
  }

  func origin(_ entry: ObserverEntry) -> String {
    if let site = entry.site {
      return "It was added at \(site)."
    }
    return isDebugBuild
      ? "It was added by a method passed as a function value, so where is not known."
      : "Where it was added is known in debug builds only."
  }

  func flagNotAnObject(_ observer: Any, _ verb: String, at site: RegistrationSite?) {
    misuse.flag(
      Misuse(
        .notAnObject,
        """
        A value of type \(type(of: observer)) was \(verb) \(name). Observers are held weakly, so only \
        class instances can be observers: make the type a class.\(site.map { " This happened at \($0)." } ?? "")
        """, at: site))
  }

  /// An observer that is being added is there already, or a dead one has left its entry at its address.
  func flagPresent(_ present: ObserverEntry, at site: RegistrationSite?) {
    guard misuse.isActive else { return }
    guard present.isAlive else { return flagNeverRemoved(present) }
    misuse.flag(
      Misuse(
        .addedTwice,
        """
        An observer of type \(present.observerName) was added to \(name) again\(site.map { " at \($0)" } ?? ""), without \
        having been removed in between; it stays registered once. Add it once, or remove it first. \(origin(present))
        """, at: present.site ?? site))
  }

  /// What was found when an object was removed: nothing, itself, or the entry of a dead predecessor.
  func flagRemoval(of entry: ObserverEntry?, _ object: AnyObject) {
    if let entry {
      #if canImport(ObjectiveC)
        // To form a weak reference to an Objective-C object inside its `deinit` stops the program.
        return
      #else
        // A living object whose entry is dead has been given the address of an observer that never said
        // goodbye. An object inside its `deinit` is not alive any more.
        guard !entry.isAlive && WeakHandle(object).object != nil else { return }
        flagNeverRemoved(entry)
      #endif
    }
    misuse.flag(
      Misuse(
        .notInstalled,
        """
        An observer of type \(type(of: object)) was removed from \(name), where it is not installed: it was never \
        added, or has been removed before. Remove every observer exactly once.
        """))
  }

  func flagNeverRemoved(_ entry: ObserverEntry) {
    misuse.flag(
      Misuse(
        .neverRemoved,
        """
        An observer of type \(entry.observerName) was deallocated without having been removed from \(name). Remove \
        it in its deinit at the latest, or observe with a token, which does so by itself. \(origin(entry))
        """, at: entry.site))
  }

  /// Observers that were found dead while another thread might have been removing them, and still are there.
  func flagSuspects() {
    guard misuse.isActive else { return }
    // Nobody can be removing anything now: that would take a reference to the hub.
    let suspects = state.withLock { $0.details?.byID.values.compactMap { $0 as? LostObserver } ?? [] }
    for entry in suspects {
      flagNeverRemoved(entry)
    }
  }

  func flagNested(in outer: WatchedCycle) {
    let culprit = outer.current
    misuse.flag(
      Misuse(
        .nestedCycle,
        """
        A notification cycle of \(name) was started inside another one on the same thread, by the callback of \
        \(culprit.map { $0.isWeak ? "an observer of type \($0.observerName)" : "a block" } ?? "an observer"): \
        observers after it would see the changes in the wrong order. Use LazySimpleEvent, or SimpleEvent(reentrancy: .coalesced). \
        \(culprit.map(origin) ?? "")
        """, at: culprit?.site))
  }
}

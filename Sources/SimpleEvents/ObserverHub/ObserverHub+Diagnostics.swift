/// What a hub remembers in order to notice misuse; unused where nobody wants to know.
struct HubWatch<T> {
  /// The cycles in progress, on all threads.
  private var cycles: [HubCycle<T>] = []
  private var visitor: ThreadIdentity?
  /// Whether more than one thread may add, remove or call observers, or has done so.
  private(set) var isShared: Bool

  init(isShared: Bool) {
    self.isShared = isShared
  }

  mutating func visit(if isActive: Bool = true) {
    guard isActive else { return }
    let thread = ThreadIdentity.current
    isShared = isShared || (visitor ?? thread) != thread
    visitor = thread
  }

  mutating func begin(_ cycle: HubCycle<T>) {
    visit()
    cycle.outer = cycles.last { $0.thread == cycle.thread }
    cycles.append(cycle)
  }

  mutating func end(_ cycle: HubCycle<T>) {
    cycles.removeAll { $0 === cycle }
  }
}

/// One notification cycle in progress.
///
/// Used by the thread that runs it alone, except for `thread`, which never changes.
final class HubCycle<T> {
  let thread: ThreadIdentity = .current
  /// The observer being called.
  var current: ObserverEntry<T>?
  /// The cycle on the same thread that this one is nested in.
  var outer: HubCycle<T>?
}

// What is said about misuse: the hub, the observer's type, what is wrong, what to do, and where from.
extension ObserverHub {
  var name: String {
    label.map { "\"\($0)\"" } ?? "\(owner)"
  }

  private func origin(_ entry: ObserverEntry<T>) -> String {
    entry.site.map { "It was added at \($0)." } ?? "Where it was added is known in debug builds only."
  }

  func flagNotAnObject(_ observer: T, _ verb: String, at site: RegistrationSite?) {
    misuse.flag(
      Misuse(
        .notAnObject,
        """
        A value of type \(type(of: observer as Any)) was \(verb) \(name). Observers are held weakly, so only \
        class instances can be observers: make the type a class.\(site.map { " This happened at \($0)." } ?? "")
        """, at: site))
  }

  /// An observer that is being added is there already, or a dead one has left its entry at its address.
  func flagPresent(_ present: ObserverEntry<T>, adding object: AnyObject, at site: RegistrationSite) {
    guard misuse.isActive else { return }
    guard present.isAlive else { return flagNeverRemoved(present) }
    misuse.flag(
      Misuse(
        .addedTwice,
        """
        An observer of type \(present.observerType) was added to \(name) again at \(site), without having been \
        removed in between; it stays registered once. Add it once, or remove it first. \(origin(present))
        """, at: present.site ?? site))
  }

  /// What was found when an object was removed: nothing, itself, or the entry of a dead predecessor.
  func flagRemoval(of entry: ObserverEntry<T>?, _ object: AnyObject) {
    if let entry {
      // A living object whose entry is dead has been given the address of an observer that never said
      // goodbye. An object inside its `deinit` yields no new weak reference either.
      weak let alive = object
      guard !entry.isAlive && alive != nil else { return }
      flagNeverRemoved(entry)
    }
    misuse.flag(
      Misuse(
        .notInstalled,
        """
        An observer of type \(type(of: object)) was removed from \(name), where it is not installed: it was never \
        added, or has been removed before. Remove every observer exactly once.
        """))
  }

  func flagNeverRemoved(_ entry: ObserverEntry<T>) {
    misuse.flag(
      Misuse(
        .neverRemoved,
        """
        An observer of type \(entry.observerType) was deallocated without having been removed from \(name). Remove \
        it in its deinit at the latest, or observe with a token, which does so by itself. \(origin(entry))
        """, at: entry.site))
  }

  /// Observers that were found dead while another thread might have been removing them, and still are there.
  func flagSuspects() {
    guard misuse.isActive else { return }
    // Nobody can be removing anything now: that would take a reference to the hub.
    let suspects = state.withLock { $0.byID.values.filter { $0.position == nil } }
    for entry in suspects {
      flagNeverRemoved(entry)
    }
  }

  func flagNested(in outer: HubCycle<T>) {
    let culprit = outer.current
    misuse.flag(
      Misuse(
        .nestedCycle,
        """
        A notification cycle of \(name) was started inside another one on the same thread, by the callback of an \
        observer of type \(culprit.map { "\($0.observerType)" } ?? "unknown"): observers after it would see the \
        changes in the wrong order. Use LazySimpleEvent, or SimpleEvent(reentrancy: .coalesced). \
        \(culprit.map(origin) ?? "")
        """, at: culprit?.site))
  }
}

/// A list of observers: held weakly, called in order, safe to change while it is being called.
///
/// The usual array of weak references gets one of these wrong: the order, a removal from inside a
/// callback, a removal from `deinit`, the cost of the thousandth subscription. A hub gets them right,
/// and tells you in debug builds when an observer is mistreated. Keep it private, and forward to it:
///
/// ```swift
/// protocol DownloadObserver: AnyObject {
///   func downloadDidFinish(_ download: Download)
/// }
///
/// final class Download {
///   private let hub = ObserverHub<any DownloadObserver>()
///   func addObserver(_ observer: any DownloadObserver) { hub.add(observer) }
///   func removeObserver(_ observer: any DownloadObserver) { hub.remove(observer) }
///   private func finish() { hub.forEach { $0.downloadDidFinish(self) } }
/// }
/// ```
///
/// - **H1** Observers are called in the order they were added.
/// - **H2** A hub never keeps an observer alive.
/// - **H3** An observer added during a cycle is not called in it; one removed before its turn is not
///   called in it, also when it is added again. From inside a callback you may remove any observer or
///   all of them, and drop the last reference to the hub.
/// - **H4** An error that the body throws ends the cycle and leaves the hub as it was.
/// - **H5** All members may be called from any thread. Observers are called on the thread that called
///   ``forEach(_:)``, never under a lock.
/// - **H6** Misuse is flagged, see ``MisuseHandler``; in release builds nothing traps: a second add is
///   ignored, and so are a value and the removal of what is not installed; a dead observer is dropped;
///   a nested cycle runs depth-first.
/// - **H7** An observer may remove itself from its own `deinit`.
/// - **H9** Memory is proportional to the number of live observers.
public final class ObserverHub<T> {
  struct State {
    /// The observers in order, nil where one was removed. A cycle holds on to the array it started
    /// with; a change then copies it, so that no cycle ever sees one (H3).
    var entries: ContiguousArray<ObserverEntry<T>?> = []
    /// How many entries are not nil.
    var count: Int = 0
    /// The length at which to look for observers that died without a word, so that they do not pile up
    /// in a hub that is only ever added to (H9).
    var sweepLength: Int = ObserverHub.smallestSweep
    /// The weak observers by identity.
    var byID: [ObjectIdentifier: ObserverEntry<T>] = [:]
    /// What the diagnostics remember.
    var watch: HubWatch<T>
  }

  let label: String?
  let misuse: MisuseHandler
  /// The type that diagnostics speak of where there is no label.
  let owner: Any.Type
  /// Guards the list of observers and what the diagnostics remember.
  let state: Guarded<State>

  /// Creates an empty hub.
  ///
  /// - Parameters:
  ///   - label: What diagnostics call the hub; by default the type of its observers.
  ///   - misuse: What to do when an observer is mistreated.
  public convenience init(label: String? = nil, misuse: MisuseHandler = .debugTrap) {
    self.init(label: label, misuse: misuse, owner: Self.self)
  }

  /// - Parameter isShared: Whether observers may die on other threads than the one that finds them dead, so
  ///   that finding one proves nothing yet. The first visit of another thread may come out of a `deinit`:
  ///   too late to tell.
  init(label: String?, misuse: MisuseHandler, owner: Any.Type, isShared: Bool = false) {
    self.label = label
    self.misuse = misuse
    self.owner = owner
    state = Guarded(State(watch: HubWatch(isShared: isShared)))
  }

  deinit {
    flagSuspects()
  }

  /// Whether nobody is listening. A dead observer does not count.
  ///
  /// - Complexity: O(1), plus the number of dead observers after the last live one.
  public var isEmpty: Bool {
    var dead: [ObserverEntry<T>] = []
    defer { bury(dead) }
    // NB: from the end, where no slot is empty; those of observers that were removed pile up before it.
    for case let entry? in state.withLock({ $0.entries }).reversed() where !entry.isRemoved {
      if entry.isAlive { return false }
      dead.append(entry)
    }
    return true
  }

  /// Adds an observer, to be called after those that are there already, from the next cycle on.
  ///
  /// - Parameters:
  ///   - observer: A class instance that is not in the hub. It is held weakly, and must be removed
  ///     once: before its last reference goes, or in its `deinit`.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  /// - Complexity: Amortised O(1).
  public func add(_ observer: T, fileID: StaticString = #fileID, line: UInt = #line) {
    add(observer, at: RegistrationSite(isolation: nil, fileID: fileID, line: line))
  }

  /// Removes an observer; it is not called again, also not in a cycle in progress on this thread.
  ///
  /// - Parameter observer: An observer that was added and not removed since.
  /// - Complexity: Amortised O(1), O(n) for the first change inside a cycle.
  public func remove(_ observer: T) {
    guard let object = object(of: observer) else {
      return flagNotAnObject(observer, "removed from", at: nil)
    }
    let id = ObjectIdentifier(object)
    let entry = state.withLock { state -> ObserverEntry<T>? in
      state.watch.visit(if: misuse.isActive)
      return state.byID.removeValue(forKey: id).map { entry in
        state.detach(entry)
        return entry
      }
    }
    if misuse.isActive {
      flagRemoval(of: entry, object)
    }
    // The entry, and with it what it owns, is let go here: after the lock.
  }

  /// Calls a body with every observer, in the order they were added.
  ///
  /// - Parameter body: Called on this thread, under no lock. An error ends the cycle.
  /// - Complexity: O(live observers).
  public func forEach<Failure: Error>(_ body: (T) throws(Failure) -> Void) throws(Failure) {
    let cycle = misuse.isActive ? HubCycle<T>() : nil
    let entries = state.withLock { state -> ContiguousArray<ObserverEntry<T>?> in
      if let cycle {
        state.watch.begin(cycle)
      }
      return state.entries
    }
    if let outer = cycle?.outer {
      flagNested(in: outer)
    }
    var dead: [ObserverEntry<T>] = []
    defer {
      if let cycle {
        state.withLock { $0.watch.end(cycle) }
      }
      bury(dead)
    }
    for case let entry? in entries where !entry.isRemoved {
      cycle?.current = entry
      if !(try entry.call(body)) {
        dead.append(entry)
      }
    }
  }
}

extension ObserverHub where T: Sendable {
  /// Creates an empty hub that several threads may use.
  ///
  /// An observer that died without having been removed is flagged when that is certain: when another one is
  /// given its address, or when the hub goes. Before that, its `deinit` may be under way on another thread.
  ///
  /// - Parameters:
  ///   - label: What diagnostics call the hub; by default the type of its observers.
  ///   - misuse: What to do when an observer is mistreated.
  public convenience init(label: String? = nil, misuse: MisuseHandler = .debugTrap) {
    self.init(label: label, misuse: misuse, owner: Self.self, isShared: true)
  }
}

// NB: not checked by the compiler, since a weak reference is mutable. It is never assigned after its
// entry was made, the runtime loads it atomically, and all other mutable state is behind the lock. The
// observers themselves cross threads only as their type allows.
extension ObserverHub: @unchecked Sendable where T: Sendable {}

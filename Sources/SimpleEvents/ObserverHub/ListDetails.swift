/// What most lists of observers do without: labels, vacancies, weak observers, diagnostics.
final class ListDetails {
  static let smallestSweep: Int = 8

  let label: String?
  let misuse: MisuseHandler
  /// Whether somebody wants to know of misuse.
  let isWatched: Bool
  /// The type that diagnostics speak of where there is no label.
  let owner: Any.Type?
  // NB: all that follows is guarded by the list's lock.
  /// Whether the event that the list belonged to is gone.
  var isClosed: Bool = false
  /// How many slots of the list are empty.
  var vacancies: Int = 0
  /// The weak observers by identity, and those that were lost.
  var byID: [ObjectIdentifier: ObserverEntry] = [:]
  /// The number of observers at which to look for those that died without a word, so that they do not
  /// pile up in a hub that is only ever added to (H9).
  var sweepLength: Int = smallestSweep
  var watch: ListWatch

  init(label: String?, misuse: MisuseHandler, owner: Any.Type?, isShared: Bool) {
    self.label = label
    self.misuse = misuse
    self.owner = owner
    isWatched = misuse.isActive
    watch = ListWatch(isShared: isShared)
  }
}

/// What a list remembers in order to notice misuse; unused where nobody wants to know.
struct ListWatch {
  /// The cycles in progress, on all threads.
  private var cycles: [WatchedCycle] = []
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

  mutating func begin(_ cycle: WatchedCycle) {
    visit()
    cycle.outer = cycles.last { $0.thread == cycle.thread }
    cycles.append(cycle)
  }

  mutating func end(_ cycle: WatchedCycle) {
    cycles.removeAll { $0 === cycle }
  }
}

/// One notification cycle in progress.
///
/// Used by the thread that runs it alone, except for `thread`, which never changes.
final class WatchedCycle {
  let thread: ThreadIdentity = .current
  /// The observer being called.
  var current: ObserverEntry?
  /// The cycle on the same thread that this one is nested in.
  var outer: WatchedCycle?
}

/// The state that a list of observers keeps in order to notice misuse.
struct ListWatch {
  /// The cycles in progress, on all threads.
  private var cycles: [WatchedCycle] = []
  private var visitor: ThreadIdentity?
  /// Whether more than one thread may add, remove or call observers, or has done so.
  private(set) var isShared: Bool

  init(isShared: Bool) {
    self.isShared = isShared
  }

  mutating func visit() {
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
/// Only the thread that runs the cycle uses it, except for `thread`, which never changes.
final class WatchedCycle {
  let thread: ThreadIdentity = .current
  /// The observer that is being called.
  var current: (any DiagnosedObserver)?
  /// The cycle on the same thread that this one is nested in.
  var outer: WatchedCycle?
}

/// An observer as diagnostics describe it.
protocol DiagnosedObserver: AnyObject {
  /// A noun phrase, as in "an observer of type View".
  var observerName: String { get }
  /// Where the observer was added, if that was recorded.
  var site: CallSite? { get }
}

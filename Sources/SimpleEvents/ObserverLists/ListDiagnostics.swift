/// The state with which a list of observers detects misuse and describes itself.
///
/// The list's lock guards the variables of this class.
final class ListDiagnostics {
  let subject: DiagnosticSubject
  /// Whether the list checks for misuse.
  let isActive: Bool
  /// Whether more than one thread may add, remove or call observers, or has done so.
  private(set) var isShared: Bool
  private var latestThread: ThreadIdentity?
  /// The cycles in progress, on all threads.
  private var cycles: [WatchedCycle] = []

  init(_ subject: DiagnosticSubject, isShared: Bool) {
    self.subject = subject
    isActive = subject.misuse.isActive
    self.isShared = isShared
  }

  /// Records that the calling thread uses the list.
  func noteThread() {
    guard isActive else { return }
    let thread = ThreadIdentity.current
    isShared = isShared || (latestThread ?? thread) != thread
    latestThread = thread
  }

  func begin(_ cycle: WatchedCycle) {
    noteThread()
    cycle.outer = cycles.last { $0.thread == cycle.thread }
    cycles.append(cycle)
  }

  func end(_ cycle: WatchedCycle) { cycles.removeAll { $0 === cycle } }
}

/// One notification cycle in progress.
///
/// Only the thread that runs the cycle uses the object. Other threads may read `thread`, which is constant.
final class WatchedCycle {
  let thread: ThreadIdentity = .current
  /// The observer that is being called.
  var current: ObserverEntry?
  /// The cycle that encloses this cycle on the same thread; nil if there is none.
  var outer: WatchedCycle?
}

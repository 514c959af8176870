internal import CTaskHook

/// The jobs of tasks on a test scheduler, first in first out.
struct JobQueue {
  /// Where a job was bound for.
  enum Target {
    /// The scheduler, which the job's task prefers.
    case scheduler
    /// An actor on the scheduler.
    case actor
    /// The global pool. The driving thread caught it.
    case pool
  }

  struct Entry {
    let job: UnownedJob
    let sequence: UInt64
    let target: Target
  }

  private var entries: [Entry] = []
  /// The entries before this place have been taken.
  private var head: Int = 0

  var count: Int { entries.count - head }

  var isEmpty: Bool { head == entries.count }

  var first: Entry? { isEmpty ? nil : entries[head] }

  mutating func append(_ entry: Entry) {
    entries.append(entry)
  }

  /// Removes the first entry, which must exist.
  ///
  /// - Complexity: O(1) amortised.
  mutating func removeFirst() {
    head += 1
    // Tasks that always enqueue one another must not make the array grow.
    if head > 64 && 2 * head > entries.count {
      entries.removeFirst(head)
      head = 0
    }
  }

  /// Passes the jobs that were bound for the global pool on to it.
  func enqueueCaughtJobsGlobally() {
    for entry in entries[head...] where entry.target == .pool {
      // SAFETY: an unowned job is the runtime's pointer to it, which was caught, and has not been run.
      unsafe task_hook_enqueue_global(unsafeBitCast(entry.job, to: UnsafeMutableRawPointer.self))
    }
  }
}

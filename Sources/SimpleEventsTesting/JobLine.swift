internal import CTaskHook

/// The jobs of tasks on a test scheduler, first in first out.
struct JobLine {
  enum Origin {
    /// The job's task prefers the scheduler, or its actor runs on it.
    case own
    /// The job was bound for the global pool, and the driving thread caught it.
    case caught
    /// Another thread enqueued the job during a run that does not allow it.
    case foreign
  }

  struct Entry {
    let job: UnownedJob
    let sequence: UInt64
    let origin: Origin
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
    for entry in entries[head...] where entry.origin == .caught {
      // SAFETY: an unowned job is the runtime's pointer to it, which was caught, and has not been run.
      unsafe task_hook_enqueue_global(unsafeBitCast(entry.job, to: UnsafeMutableRawPointer.self))
    }
  }
}

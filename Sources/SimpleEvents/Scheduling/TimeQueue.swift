/// One piece of work that waits for its time.
///
/// NB: `@unchecked`, since its work goes when it is cancelled or run. The lock of the scheduler that made
/// it guards that: nobody else can reach it.
package final class TimeEntry: @unchecked Sendable {
  fileprivate var work: (@Sendable () -> Void)?
  /// How late the work may be, in nanoseconds.
  let tolerance: Int64

  package init(tolerance: Int64 = 0, _ work: @escaping @Sendable () -> Void) {
    self.tolerance = tolerance
    self.work = work
  }
}

/// Work in the order of (deadline, sequence), for schedulers to keep behind their lock.
///
/// A binary heap, in which cancelled entries are left for a while.
package struct TimeQueue {
  private struct Item {
    var deadline: EventInstant
    var sequence: UInt64
    var entry: TimeEntry

    static func < (lhs: Item, rhs: Item) -> Bool {
      (lhs.deadline.nanoseconds, lhs.sequence) < (rhs.deadline.nanoseconds, rhs.sequence)
    }
  }

  /// A heap: no item is less than its parent, which stands at half its place.
  private var items: [Item] = []
  private var lastSequence: UInt64 = 0
  /// How much work has been neither run nor cancelled.
  package private(set) var count: Int = 0

  package init() {}

  /// Adds an entry.
  ///
  /// - Complexity: O(log n).
  package mutating func push(_ entry: TimeEntry, at deadline: EventInstant) {
    lastSequence += 1
    count += 1
    items.append(Item(deadline: deadline, sequence: lastSequence, entry: entry))
    siftUp(items.count - 1)
  }

  /// The first entry that is not cancelled, and when it is due.
  ///
  /// - Complexity: O(log n) amortised.
  package mutating func first() -> (deadline: EventInstant, entry: TimeEntry)? {
    while let first = items.first {
      guard first.entry.work == nil else { return (first.deadline, first.entry) }
      removeFirst()
    }
    return nil
  }

  /// Takes the first entry off the queue, if it is due by an instant. Its work stays in it.
  ///
  /// - Complexity: O(log n) amortised.
  package mutating func pop(until instant: EventInstant) -> (deadline: EventInstant, entry: TimeEntry)? {
    guard let first = first(), first.deadline <= instant else { return nil }
    removeFirst()
    return first
  }

  /// Takes the work out of an entry, to run it or to let it go; nil if that has been done.
  ///
  /// - Complexity: O(1) amortised.
  package mutating func takeWork(of entry: TimeEntry) -> (@Sendable () -> Void)? {
    guard let work = entry.work else { return nil }
    entry.work = nil
    count -= 1
    // Entries that are cancelled long before their time would pile up else.
    if items.count > 2 * count + 8 {
      items.removeAll { $0.entry.work == nil }
      for parent in stride(from: items.count / 2 - 1, through: 0, by: -1) {
        siftDown(parent)
      }
    }
    return work
  }

  private mutating func removeFirst() {
    items.swapAt(0, items.count - 1)
    items.removeLast()
    siftDown(0)
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard items[child] < items[parent] else { return }
      items.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in 2 * parent + 1...2 * parent + 2 where child < items.count && items[child] < items[least] {
        least = child
      }
      guard least != parent else { return }
      items.swapAt(parent, least)
      parent = least
    }
  }
}

internal import SimpleEvents

/// One piece of work on a test scheduler.
///
/// NB: `@unchecked`, since its work goes when it is cancelled or run. The scheduler's lock guards that:
/// nobody else can reach it.
final class TimeEntry: @unchecked Sendable {
  fileprivate var work: (@Sendable () -> Void)?

  init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }
}

/// Work in the order of (deadline, sequence): a binary heap, with cancelled entries left in it for a while.
struct TimeQueue {
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
  /// How many items are not cancelled.
  private(set) var count: Int = 0

  /// - Complexity: O(log n).
  mutating func push(_ entry: TimeEntry, at deadline: EventInstant) {
    lastSequence += 1
    count += 1
    items.append(Item(deadline: deadline, sequence: lastSequence, entry: entry))
    siftUp(items.count - 1)
  }

  /// Takes the first work off the queue, if it is due by an instant.
  ///
  /// - Complexity: O(log n) amortised.
  mutating func pop(until instant: EventInstant) -> (deadline: EventInstant, work: @Sendable () -> Void)? {
    while let first = items.first, first.entry.work == nil || first.deadline <= instant {
      removeFirst()
      if let work = first.entry.work {
        first.entry.work = nil
        count -= 1
        return (first.deadline, work)
      }
    }
    return nil
  }

  /// Takes the work out of an entry; nil if it has been run or cancelled.
  ///
  /// - Complexity: O(1) amortised.
  mutating func cancel(_ entry: TimeEntry) -> (@Sendable () -> Void)? {
    guard let work = entry.work else { return nil }
    entry.work = nil
    count -= 1
    // Entries that are cancelled before their time would pile up else.
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

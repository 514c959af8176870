/// Work in the order of (deadline, sequence), for schedulers to keep behind their lock.
///
/// A heap of plain numbers, so that moving them about retains and releases nothing, and the work in slots
/// beside it. A cancelled item is left in the heap for a while, without its work.
///
/// Every item has four children: half the levels of a binary heap, and siblings that lie side by side
/// (Johnson, "Priority queues with update and finding minimum spanning trees", 1975). Whoever is about to
/// take much off at once may have it sorted first: a heap's items lie all over the memory, a sorted run's
/// in the order they leave.
package struct TimeQueue {
  package typealias Work = @Sendable () -> Void

  /// Names one piece of work for as long as it is neither run nor cancelled: the order in which it came,
  /// and below that its slot. In one word, since a heap is as fast as it is small.
  package struct Ticket: Sendable, Equatable {
    /// Room for 67 million pieces of work at a time, and 274 thousand million in all: after those, equal
    /// deadlines are no longer kept in order.
    private static let slotBits: UInt64 = 26

    fileprivate let bits: UInt64

    fileprivate init(sequence: UInt64, slot: Int) {
      precondition(slot < 1 << Self.slotBits, "too much work is waiting")
      bits = sequence << Self.slotBits | UInt64(slot)
    }

    fileprivate var slot: Int { Int(bits & (1 << Self.slotBits - 1)) }
  }

  private struct Item {
    var deadline: Int64
    var ticket: Ticket

    static func < (lhs: Item, rhs: Item) -> Bool {
      lhs.deadline < rhs.deadline || (lhs.deadline == rhs.deadline && lhs.ticket.bits < rhs.ticket.bits)
    }
  }

  private struct Slot {
    var work: Work?
    /// Whose work it is; tells a slot that has been given away again.
    var ticket: Ticket
    /// How late the work may be, in nanoseconds.
    var tolerance: Int64
  }

  /// A heap: no item is less than its parent.
  private var items: [Item] = []
  private static let arity: Int = 4
  /// So few items are not worth sorting, nor is their room worth giving back.
  private static let few: Int = 64
  /// Items in order, the least one last.
  private var run: [Item] = []
  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  private var lastSequence: UInt64 = 0

  package init() {}

  /// How much work has been neither run nor cancelled.
  package var count: Int { slots.count - freeSlots.count }

  /// Adds work.
  ///
  /// - Complexity: O(log n).
  @discardableResult
  package mutating func push(_ work: @escaping Work, at deadline: EventInstant, tolerance: Int64 = 0)
    -> Ticket
  {
    lastSequence += 1
    let place = freeSlots.popLast() ?? slots.count
    let ticket = Ticket(sequence: lastSequence, slot: place)
    let slot = Slot(work: work, ticket: ticket, tolerance: tolerance)
    if place == slots.count {
      slots.append(slot)
    } else {
      slots[place] = slot
    }
    items.append(Item(deadline: deadline.nanoseconds, ticket: ticket))
    siftUp(items.count - 1)
    return ticket
  }

  /// Puts what waits in order, if much has come since that was done last.
  ///
  /// - Complexity: O(n log n), which is O(log n) for each item that has come.
  package mutating func sort() {
    guard items.count > max(Self.few, run.count) else { return }
    run.append(contentsOf: items)
    items = []
    run.sort { $1 < $0 }
  }

  /// When the first work is due that is not cancelled, and how late it may be.
  ///
  /// - Complexity: O(log n) amortised.
  package mutating func first() -> (deadline: EventInstant, tolerance: Int64)? {
    while let first = least {
      if holdsWork(first) {
        return (EventInstant(nanoseconds: first.deadline), slots[first.ticket.slot].tolerance)
      }
      removeLeast()
    }
    return nil
  }

  /// Takes the first item off the queue, if it is due by an instant. Its work stays where it is.
  ///
  /// - Complexity: O(log n) amortised.
  package mutating func pop(until instant: EventInstant) -> (deadline: EventInstant, ticket: Ticket)? {
    while let first = least, first.deadline <= instant.nanoseconds {
      removeLeast()
      if holdsWork(first) {
        return (EventInstant(nanoseconds: first.deadline), first.ticket)
      }
    }
    return nil
  }

  /// Takes work out, to run it or to let it go; nil if that has been done.
  ///
  /// - Complexity: O(1) amortised.
  package mutating func takeWork(_ ticket: Ticket) -> Work? {
    guard ticket.slot < slots.count, slots[ticket.slot].ticket == ticket, let work = slots[ticket.slot].work
    else { return nil }
    slots[ticket.slot].work = nil
    freeSlots.append(ticket.slot)
    if count == 0 && slots.count > Self.few {
      // The room goes back, and the next work is put in order of coming, not of having gone.
      let lastSequence = lastSequence
      self = TimeQueue()
      self.lastSequence = lastSequence
      return work
    }
    // Items that are cancelled long before their time would pile up else.
    if items.count + run.count > 2 * count + 8 {
      run = run.filter(holdsWork)
      items = items.filter(holdsWork)
      for parent in stride(from: items.count / Self.arity, through: 0, by: -1) where parent < items.count {
        siftDown(parent)
      }
    }
    return work
  }

  private func holdsWork(_ item: Item) -> Bool {
    slots[item.ticket.slot].ticket == item.ticket && slots[item.ticket.slot].work != nil
  }

  /// The first item of all, cancelled or not.
  private var least: Item? {
    guard let first = items.first else { return run.last }
    guard let last = run.last else { return first }
    return last < first ? last : first
  }

  private mutating func removeLeast() {
    if let last = run.last, items.isEmpty || last < items[0] {
      run.removeLast()
      return
    }
    let last = items.removeLast()
    if !items.isEmpty {
      items[0] = last
      siftDown(0)
    }
  }

  /// Moves an item up until its parent is less: the others move down into the hole it leaves.
  private mutating func siftUp(_ start: Int) {
    let item = items[start]
    var hole = start
    while hole > 0 {
      let parent = (hole - 1) / Self.arity
      guard item < items[parent] else { break }
      items[hole] = items[parent]
      hole = parent
    }
    items[hole] = item
  }

  /// Moves an item down until its children are not less: the others move up into the hole it leaves.
  private mutating func siftDown(_ start: Int) {
    let item = items[start]
    var hole = start
    while true {
      let first = Self.arity * hole + 1
      guard first < items.count else { break }
      var least = first
      for child in first + 1..<max(first + 1, min(first + Self.arity, items.count))
      where items[child] < items[least] {
        least = child
      }
      guard items[least] < item else { break }
      items[hole] = items[least]
      hole = least
    }
    items[hole] = item
  }
}

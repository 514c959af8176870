/// Work in the order of (deadline, sequence), which schedulers keep behind their lock.
///
/// The queue is a heap of plain numbers, so that moving items needs no retain and no release; the work is in
/// separate slots. A cancelled item stays in the heap for a while, without its work.
///
/// Every item has four children: half the levels of a binary heap, and siblings that are adjacent in memory
/// (Johnson, "Priority queues with update and finding minimum spanning trees", 1975). A caller that will
/// remove many items can sort them first: the items of a heap are spread over the memory, whereas the items
/// of a sorted run lie in the order of their removal.
package struct TimeQueue {
  package typealias Work = @Sendable () -> Void

  /// Identifies one piece of work until it is run or cancelled: its sequence number, and in the low bits its
  /// slot.
  ///
  /// The ticket takes one word, because a smaller heap is faster.
  package struct Ticket: Sendable, Equatable {
    /// Enough for 67 million pieces of work at a time, and for 274 billion in all. After those, equal
    /// deadlines are no longer in order.
    private static let slotBits: UInt64 = 26

    let bits: UInt64

    fileprivate init(sequence: UInt64, slot: Int) {
      precondition(
        slot < 1 << Self.slotBits, "more than 67 million pieces of work are pending on one scheduler")
      bits = sequence << Self.slotBits | UInt64(slot)
    }

    var slot: Int { Int(bits & (1 << Self.slotBits - 1)) }

    var sequence: UInt64 { bits >> Self.slotBits }
  }

  struct Item {
    var deadline: Int64
    var ticket: Ticket

    static func < (lhs: Item, rhs: Item) -> Bool {
      lhs.deadline < rhs.deadline || (lhs.deadline == rhs.deadline && lhs.ticket.bits < rhs.ticket.bits)
    }
  }

  struct Slot {
    var work: Work?
    /// The ticket of the work in this slot. A ticket with another value is no longer valid.
    var ticket: Ticket
  }

  /// A heap: no item is less than its parent.
  var items: [Item] = []
  static let arity: Int = 4
  /// The number of items up to which neither sorting nor releasing memory pays.
  private static let few: Int = 64
  /// Sorted items, the least one last.
  var run: [Item] = []
  var slots: [Slot] = []
  var freeSlots: [Int] = []
  var lastSequence: UInt64 = 0

  package init() {}

  /// The number of pieces of work that have been neither run nor cancelled.
  package var count: Int { slots.count - freeSlots.count }

  /// Adds work.
  ///
  /// - Complexity: O(log n).
  @discardableResult package mutating func push(_ work: @escaping Work, at deadline: EventInstant) -> Ticket {
    let place = freeSlots.popLast() ?? slots.count
    let ticket = Ticket(sequence: takeSequence(), slot: place)
    let slot = Slot(work: work, ticket: ticket)
    if place == slots.count { slots.append(slot) } else { slots[place] = slot }
    items.append(Item(deadline: deadline.nanoseconds, ticket: ticket))
    siftUp(items.count - 1)
    checkInvariants()
    return ticket
  }

  /// Sorts the items, if many were added since the last sorting.
  ///
  /// With the heap alone, an item of 1,000,000 that are all removed takes 1.6 times as long.
  ///
  /// - Complexity: O(n log n), which is O(log n) for each item that was added.
  package mutating func sort() {
    guard items.count > max(Self.few, run.count) else { return }
    run.append(contentsOf: items)
    items = []
    run.sort { $1 < $0 }
    checkInvariants()
  }

  /// The deadline of the first work that is not cancelled.
  ///
  /// - Complexity: O(log n) amortised.
  package mutating func first() -> EventInstant? {
    while let first = least {
      if holdsWork(first) { return EventInstant(nanoseconds: first.deadline) }
      removeLeast()
    }
    return nil
  }

  /// Takes the next sequence number, for work that its owner keeps elsewhere.
  package mutating func takeSequence() -> UInt64 {
    lastSequence += 1
    return lastSequence
  }

  /// The earliest deadlines of work that is not cancelled, in order.
  ///
  /// - Complexity: O(n log n).
  package func deadlines(atMost count: Int) -> [EventInstant] {
    let deadlines = (items + run).filter(holdsWork).map(\.deadline).sorted()
    return deadlines.prefix(count).map(EventInstant.init(nanoseconds:))
  }

  /// Removes the first item if it is due by an instant. Its work stays in its slot.
  ///
  /// - Parameters:
  ///   - instant: The latest deadline.
  ///   - sequence: Items with this sequence number or a larger one stay in the queue.
  /// - Complexity: O(log n) amortised.
  package mutating func pop(
    until instant: EventInstant, before sequence: UInt64 = .max
  ) -> (deadline: EventInstant, ticket: Ticket)? {
    guard let deadline = first(), deadline <= instant, let ticket = least?.ticket, ticket.sequence < sequence
    else { return nil }
    removeLeast()
    checkInvariants()
    return (deadline, ticket)
  }

  /// Removes work from its slot, to be run or released; returns nil if it was removed before.
  ///
  /// - Complexity: O(1) amortised.
  package mutating func takeWork(_ ticket: Ticket) -> Work? {
    guard ticket.slot < slots.count, slots[ticket.slot].ticket == ticket, let work = slots[ticket.slot].work
    else { return nil }
    defer { checkInvariants() }
    slots[ticket.slot].work = nil
    freeSlots.append(ticket.slot)
    if count == 0 && slots.count > Self.few {
      // The memory is released, and the slots are used in order again.
      (items, run, slots, freeSlots) = ([], [], [], [])
      return work
    }
    // Items that are cancelled long before their deadlines must not accumulate.
    if items.count + run.count > 2 * count + 8 {
      run = run.filter(holdsWork)
      items = items.filter(holdsWork)
      for parent in stride(from: items.count / Self.arity, through: 0, by: -1) where parent < items.count {
        siftDown(parent)
      }
    }
    return work
  }

  func holdsWork(_ item: Item) -> Bool {
    slots[item.ticket.slot].ticket == item.ticket && slots[item.ticket.slot].work != nil
  }

  /// The first item, cancelled or not.
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

  /// Moves an item up until its parent is less; the items above it move down into its place.
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

  /// Moves an item down until its children are not less; the items below it move up into its place.
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

/// Elements in the order of (deadline, sequence), for use behind a lock: the work of a scheduler, or keys
/// whose windows are open.
///
/// The queue is a heap of plain numbers, so that moving items needs no retain and no release; the elements
/// are in separate slots. An element that was taken out leaves its item in the heap for a while.
///
/// Every item has four children: half the levels of a binary heap, and siblings that are adjacent in memory
/// (Johnson, "Priority queues with update and finding minimum spanning trees", 1975). A caller that will
/// remove many items can sort them first: the items of a heap are spread over the memory, whereas the items
/// of a sorted run lie in the order of their removal.
// NB: inlinable throughout, as `Fifo`.
@frozen @usableFromInline package struct TimeQueue<Element> {
  @frozen @usableFromInline struct Slot {
    @usableFromInline var element: Element?
    /// The ticket of the element in this slot. A ticket with another value is no longer valid.
    @usableFromInline var ticket: TimeTicket

    @inlinable init(element: Element, ticket: TimeTicket) {
      self.element = element
      self.ticket = ticket
    }
  }

  /// A heap: no item is less than its parent.
  @usableFromInline var items: [TimeItem] = []
  /// Sorted items, the least one last.
  @usableFromInline var run: [TimeItem] = []
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var freeSlots: [Int] = []
  @usableFromInline var lastSequence: UInt64 = 0

  @inlinable package init() {}

  /// The number of children of an item.
  @inlinable static var arity: Int { 4 }
  /// The number of items up to which neither sorting nor releasing memory pays.
  @inlinable static var few: Int { 64 }

  /// The number of elements in the queue.
  @inlinable package var count: Int { slots.count - freeSlots.count }

  /// Adds an element.
  ///
  /// - Complexity: O(log n).
  @inlinable @discardableResult
  package mutating func push(_ element: Element, at deadline: EventInstant) -> TimeTicket {
    let place = freeSlots.popLast() ?? slots.count
    let ticket = TimeTicket(sequence: takeSequence(), slot: place)
    let slot = Slot(element: element, ticket: ticket)
    if place == slots.count { slots.append(slot) } else { slots[place] = slot }
    items.append(TimeItem(at: deadline, ticket))
    siftUp(items.count - 1)
    checkInvariants()
    return ticket
  }

  /// Sorts the items, if many were added since the last sorting.
  ///
  /// With the heap alone, an item of 1,000,000 that are all removed takes 1.6 times as long.
  ///
  /// - Complexity: O(n log n), which is O(log n) for each item that was added.
  @inlinable package mutating func sort() {
    guard items.count > max(Self.few, run.count) else { return }
    run.append(contentsOf: items)
    items = []
    run.sort { $1 < $0 }
    checkInvariants()
  }

  /// The deadline of the first element.
  ///
  /// - Complexity: O(log n) amortised.
  @inlinable package mutating func first() -> EventInstant? { firstItem()?.deadline }

  /// The item of the first element.
  @inlinable mutating func firstItem() -> TimeItem? {
    while let first = least {
      if holdsElement(first) { return first }
      removeLeast()
    }
    return nil
  }

  /// Takes the next sequence number, for an element that its owner keeps elsewhere.
  @inlinable package mutating func takeSequence() -> UInt64 {
    lastSequence += 1
    return lastSequence
  }

  /// The elements in order, with their deadlines.
  ///
  /// - Complexity: O(n log n).
  @inlinable package var sorted: [(deadline: EventInstant, element: Element)] {
    (items + run).sorted(by: <).compactMap { item in
      holdsElement(item) ? slots[item.ticket.slot].element.map { (item.deadline, $0) } : nil
    }
  }

  /// The ticket of the element that a slot has.
  @inlinable func ticket(ofSlot slot: Int) -> TimeTicket { slots[slot].ticket }

  /// Removes the first item if it is due by an instant. Its element stays in its slot.
  ///
  /// - Parameters:
  ///   - instant: The latest deadline.
  ///   - sequence: Items with this sequence number or a larger one stay in the queue.
  /// - Complexity: O(log n) amortised.
  @inlinable package mutating func pop(
    until instant: EventInstant, before sequence: UInt64 = .max
  ) -> TimeItem? {
    guard let item = firstItem(), item.nanoseconds <= instant.nanoseconds, item.ticket.sequence < sequence
    else { return nil }
    removeLeast()
    checkInvariants()
    return item
  }

  /// Removes an element from its slot; returns nil if it was removed before.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable package mutating func take(_ ticket: TimeTicket) -> Element? {
    guard ticket.slot < slots.count, slots[ticket.slot].ticket == ticket,
      let element = slots[ticket.slot].element
    else { return nil }
    defer { checkInvariants() }
    slots[ticket.slot].element = nil
    freeSlots.append(ticket.slot)
    if count == 0 && slots.count > Self.few {
      // The memory is released, and the slots are used in order again.
      (items, run, slots, freeSlots) = ([], [], [], [])
      return element
    }
    // Items whose elements are taken long before their deadlines must not accumulate.
    if items.count + run.count > 2 * count + 8 {
      run = run.filter(holdsElement)
      items = items.filter(holdsElement)
      for parent in stride(from: items.count / Self.arity, through: 0, by: -1) where parent < items.count {
        siftDown(parent)
      }
    }
    return element
  }

  @inlinable func holdsElement(_ item: TimeItem) -> Bool {
    slots[item.ticket.slot].ticket == item.ticket && slots[item.ticket.slot].element != nil
  }

  /// The first item, with or without its element.
  @inlinable var least: TimeItem? {
    guard let first = items.first else { return run.last }
    guard let last = run.last else { return first }
    return last < first ? last : first
  }

  @inlinable mutating func removeLeast() {
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
  @inlinable mutating func siftUp(_ start: Int) {
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
  @inlinable mutating func siftDown(_ start: Int) {
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

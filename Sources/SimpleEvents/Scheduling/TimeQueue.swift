/// A priority queue of elements, ordered by deadline and then by sequence number.
///
/// Its elements are the work of a scheduler, or the keys whose windows are open. Its owner guards it with a
/// lock.
///
/// The items of the heap are plain numbers, so that moving an item needs no retain and no release. The
/// elements are in separate slots. When an element is taken out, its item stays in the heap for a while.
///
/// Every item has four children. The heap then has half the levels of a binary heap, and siblings are
/// adjacent in memory (Johnson, "Priority queues with update and finding minimum spanning trees", 1975). A
/// caller that will remove many items can sort them first: the items of a heap are spread over the memory,
/// whereas the items of a sorted run lie in the order of their removal.
// NB: every member is inlinable, as in `Fifo`.
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
  /// The number of items up to which sorting and releasing memory cost more than they save.
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

  /// Sorts the items if many were added since the last sort.
  ///
  /// Without a sort, the removal of 1,000,000 items takes 1.6 times as long.
  ///
  /// - Complexity: O(n log n), which is O(log n) for each added item.
  @inlinable package mutating func sort() {
    guard items.count > max(Self.few, run.count) else { return }
    run.append(contentsOf: items)
    items = []
    run.sort { $1 < $0 }
    checkInvariants()
  }

  /// The deadline of the first element; nil if the queue is empty.
  ///
  /// - Complexity: O(log n) amortised.
  @inlinable package mutating func first() -> EventInstant? { firstItem()?.deadline }

  /// The item of the first element; nil if the queue is empty.
  @inlinable mutating func firstItem() -> TimeItem? {
    while let first = least {
      if holdsElement(first) { return first }
      removeLeast()
    }
    return nil
  }

  /// Takes the next sequence number, for an element that the owner of the queue keeps elsewhere.
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

  /// The ticket of the element in a slot.
  @inlinable func ticket(ofSlot slot: Int) -> TimeTicket { slots[slot].ticket }

  /// Removes the first item if it is due by an instant. The element of the item stays in its slot.
  ///
  /// - Parameters:
  ///   - instant: The latest deadline of an item that is removed.
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

  /// Removes an element from its slot; returns nil if the element was already removed.
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
      // The memory is released. New elements then use the slots in order again.
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

  /// The first item, even if its element was taken out.
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

  /// Moves an item up until its parent is less. Each parent that it passes moves down one level.
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

  /// Moves an item down until no child is less. At each level, the least child moves up one level.
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

extension TimeQueue {
  /// Checks the order of the heap and of the sorted run, and that each item has a slot and each free slot is
  /// empty.
  ///
  /// - Complexity: O(n); O(1) if the queue is longer than `invariantSize`.
  @inlinable func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      invariant(freeSlots.count <= slots.count, "a free slot is a slot")
      guard slots.count + items.count + run.count <= invariantSize else { return }
      // NB: the checks are loops over indices. In a debug build, one call of a generic function of a
      // collection takes longer than the rest of the operation that is checked.
      var index = 0
      while index < items.count {
        invariant(isValid(items[index]), "an item has a slot and a sequence number")
        let isLess = index > 0 && items[index] < items[(index - 1) / Self.arity]
        invariant(!isLess, "S1: no item of a heap is less than its parent")
        index += 1
      }
      index = 0
      while index < run.count {
        invariant(isValid(run[index]), "an item has a slot and a sequence number")
        invariant(index == 0 || run[index] < run[index - 1], "S1: a run is sorted, the least item last")
        index += 1
      }
      index = 0
      while index < freeSlots.count {
        invariant(slots[freeSlots[index]].element == nil, "S2: a free slot has released its element")
        index += 1
      }
      var emptyCount = 0
      index = 0
      while index < slots.count {
        if slots[index].element == nil { emptyCount += 1 }
        index += 1
      }
      invariant(emptyCount == freeSlots.count, "a slot without an element is free")
    #endif
  }

  @inlinable func isValid(_ item: TimeItem) -> Bool {
    item.ticket.slot < slots.count && item.ticket.sequence <= lastSequence
  }
}

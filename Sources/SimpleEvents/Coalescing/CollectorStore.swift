/// The elements of a collector that are not delivered yet. The lock of the gate guards them.
///
/// A method that displaces an element returns it. The caller releases the element, or passes it to the user's
/// function, after the lock is released.
///
/// If batches have a size, the elements that a batch leaves are in `older`, and the next batches are taken
/// from there. `batch` has the newer elements. Together, the two arrays are a queue of two stacks.
@frozen @usableFromInline struct CollectorStore<Element> {
  @usableFromInline let limit: Int
  /// The number of elements for which `batch` has room.
  @usableFromInline var room: Int
  @usableFromInline var batch: ElementBatch<Element> = ElementBatch()
  /// The elements that come before the elements of `batch`, in reverse order: the oldest element is last.
  @usableFromInline var older: ContiguousArray<Element> = []
  /// The number of elements, counted from the oldest one, that a flush has made due.
  @usableFromInline var flushed: Int = 0
  /// The latest place for each hash value, if elements are distinct.
  @usableFromInline var latest: [Int: Int] = [:]
  /// For each place, the previous place with the same hash value. The first entries may belong to elements
  /// that were taken.
  @usableFromInline var previous: ContiguousArray<Int?> = []
  /// The place to which the first entry of `previous` belongs.
  @usableFromInline var base: Int = 0
  /// A number that grows when a batch is taken, and when elements are combined. A result that was computed
  /// without the lock is used only if the number has not changed.
  @usableFromInline var generation: Int = 0
  /// The threads that are combining two elements.
  var combining: [ThreadIdentity] = []

  @usableFromInline init(limit: Int, generation: Int = 0, combining: [ThreadIdentity] = []) {
    self.limit = limit
    room = limit
    self.generation = generation
    self.combining = combining
  }

  @inlinable var count: Int { older.count + batch.elements.count }

  /// Counts an element as dropped, and returns the element.
  @inlinable mutating func drop(_ element: Element) -> Element? {
    batch.dropped += 1
    return element
  }

  /// Adds an element at the end. If there is no room, the oldest element is displaced, or the new element is
  /// dropped.
  /// - Returns: The displaced or dropped element; nil if there was room.
  @inlinable @inline(__always) mutating func add(_ element: Element, displacingOldest: Bool) -> Element? {
    displacingOldest ? addNewest(element) : addOldest(element)
  }

  /// Adds an element as ``add(_:displacingOldest:)`` does, to a store in which no batch leaves elements.
  @inlinable @inline(__always)
  mutating func addToWhole(_ element: Element, displacingOldest: Bool) -> Element? {
    if batch.elements.count < limit {
      batch.elements.append(element)
      return nil
    }
    return displacingOldest ? displaceFirst(by: element) : drop(element)
  }

  /// Adds an element as ``add(_:displacingOldest:)`` does. A displaced element no longer counts as flushed.
  @inlinable mutating func addCounting(_ element: Element, displacingOldest: Bool) -> Element? {
    let old = add(element, displacingOldest: displacingOldest)
    if displacingOldest && old != nil && flushed > 0 { flushed -= 1 }
    return old
  }

  /// Adds an element at the end. If there is no room, the oldest element is displaced.
  @inlinable @inline(__always) mutating func addNewest(_ element: Element) -> Element? {
    if batch.elements.count < room {
      batch.elements.append(element)
      return nil
    }
    return room == limit ? displaceFirst(by: element) : displaceOlder(by: element)
  }

  /// Adds an element in the place of the oldest element of the batch.
  @inlinable @inline(__always) mutating func displaceFirst(by element: Element) -> Element? {
    let place = batch.head
    // The elements are exchanged, because a copy of the old element would be retained and released.
    var old = element
    swap(&batch.elements[place], &old)
    batch.head = place + 1 < limit ? place + 1 : 0
    batch.dropped += 1
    checkInvariants()
    return old
  }

  /// Adds an element at the end, and displaces the oldest of the elements that a batch has left.
  @usableFromInline mutating func displaceOlder(by element: Element) -> Element? {
    batch.dropped += 1
    room += 1
    batch.elements.append(element)
    return older.removeLast()
  }

  /// Adds an element if there is room for it.
  @inlinable mutating func addOldest(_ element: Element) -> Element? {
    guard batch.elements.count < room else { return drop(element) }
    batch.elements.append(element)
    return nil
  }

  /// Replaces the kept element by a combination, or adds the combination if the store is empty; returns the
  /// replaced element.
  mutating func addCombined(_ element: Element) -> Element? {
    generation += 1
    let displaced = batch.elements.popLast()
    batch.elements.append(element)
    checkInvariants()
    return displaced
  }

  /// Takes the first elements, up to a number of them, with the count of dropped elements.
  ///
  /// - Complexity: O(1) if all elements are taken and no batch has left elements; otherwise amortised O(n) in
  ///   the number of taken elements.
  @usableFromInline mutating func takeBatch(upTo size: Int = .max) -> ElementBatch<Element> {
    if count <= size && older.isEmpty {
      defer { self = CollectorStore(limit: limit, generation: generation + 1, combining: combining) }
      return batch
    }
    var taken = ElementBatch<Element>()
    swap(&taken.dropped, &batch.dropped)
    for _ in 0..<min(size, count) {
      if older.isEmpty {
        older = ContiguousArray(batch.reversed())
        batch = ElementBatch()
      }
      taken.elements.append(older.removeLast())
    }
    generation += 1
    room = limit - older.count
    flushed = max(0, flushed - taken.count)
    forgetTaken()
    // The memory of a burst is released.
    if count == 0 { self = CollectorStore(limit: limit, generation: generation, combining: combining) }
    return taken
  }

  /// Checks the number of elements, the index of the first element, and the places of distinct elements.
  ///
  /// - Complexity: O(1). For at most `invariantSize` distinct elements it is O(n).
  @inlinable func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      let count = count
      invariant(count <= limit, "C3: a collector keeps at most as many elements as its limit")
      invariant(room == limit - older.count, "C12: the elements that a batch has left count for the limit")
      invariant(
        batch.head == 0 || batch.elements.count == limit && batch.head < limit,
        "C9: only a full collector reuses the place of its first element")
      invariant(previous.isEmpty || previous.count >= count, "C9: each distinct element has its place")
      guard previous.count <= invariantSize else { return }
      let areEarlier = previous.indices.allSatisfy { previous[$0] ?? -1 < base + $0 }
      invariant(
        latest.values.allSatisfy { $0 < base + previous.count } && areEarlier,
        "C9: each place of a hash value leads to an earlier place")
    #endif
  }
}

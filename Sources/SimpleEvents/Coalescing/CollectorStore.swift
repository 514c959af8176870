/// The elements of a collector that are not delivered yet, for use behind the lock of its gate.
///
/// Every method that displaces an element returns it, because it is released, or given to the user's
/// function, after the lock is released.
@frozen @usableFromInline struct CollectorStore<Element> {
  @usableFromInline let limit: Int
  @usableFromInline var batch: CollectorBatch<Element> = CollectorBatch()
  /// The latest place for each hash value, where elements are distinct.
  @usableFromInline var latest: [Int: Int] = [:]
  /// For each place, the previous place with the same hash value.
  @usableFromInline var previous: ContiguousArray<Int?> = []
  /// The number of batches taken, and of elements that were combined.
  @usableFromInline var generation: Int = 0
  /// The threads that are combining two elements.
  var combining: [ThreadIdentity] = []

  /// Counts an element that the policy ignores, and returns it.
  @inlinable mutating func drop(_ element: Element) -> Element? {
    batch.dropped += 1
    return element
  }

  /// Adds an element behind the others, or in the place of the oldest one, or not at all if there is no room
  /// for it.
  @inlinable @inline(__always) mutating func add(_ element: Element, displacingOldest: Bool) -> Element? {
    displacingOldest ? addNewest(element) : addOldest(element)
  }

  /// Adds an element, in the place of the oldest element if the store is full.
  @inlinable @inline(__always) mutating func addNewest(_ element: Element) -> Element? {
    if batch.elements.count < limit {
      batch.elements.append(element)
      return nil
    }
    let place = batch.head
    let old = batch.elements[place]
    batch.elements[place] = element
    batch.head = place + 1 < limit ? place + 1 : 0
    batch.dropped += 1
    checkInvariants()
    return old
  }

  /// Adds an element if there is room for it.
  @inlinable mutating func addOldest(_ element: Element) -> Element? {
    guard batch.elements.count < limit else { return drop(element) }
    batch.elements.append(element)
    return nil
  }

  /// The elements that may equal a new one, because their hash values are equal.
  struct Candidates {
    fileprivate let generation: Int
    /// The latest one, in most cases the only one, which then needs no array.
    fileprivate var latest: (place: Int, element: Element)?
    fileprivate var others: [(place: Int, element: Element)] = []

    /// The place of the first candidate for which a condition holds.
    func place(where condition: (Element) -> Bool) -> Int? {
      if let latest, condition(latest.element) { return latest.place }
      return others.first { condition($0.element) }?.place
    }
  }

  func candidates(_ hash: Int) -> Candidates {
    var candidates = Candidates(generation: generation)
    guard let place = latest[hash] else { return candidates }
    candidates.latest = (place, batch.elements[place])
    var next = previous[place]
    while let place = next {
      candidates.others.append((place, batch.elements[place]))
      next = previous[place]
    }
    return candidates
  }

  /// Whether no other element with this hash value was added, and no batch was taken, since the candidates
  /// were read. Otherwise the comparison must be repeated.
  func hasOnly(_ candidates: Candidates, _ hash: Int) -> Bool {
    candidates.generation == generation && candidates.latest?.place == latest[hash]
  }

  /// Puts the successor of an equal element in its place, and returns that element.
  mutating func replace(
    at place: Int, with element: Element, by distinction: CollectorLimit<Element>.Distinction
  ) -> Element {
    let old = batch.elements[place]
    batch.elements[place] = distinction.succeed(old, element)
    return old
  }

  /// Adds an element that equals none, if there is room for it.
  mutating func addDistinct(_ element: Element, _ hash: Int) -> Element? {
    let displaced = addOldest(element)
    if displaced == nil { previous.append(latest.updateValue(previous.count, forKey: hash)) }
    checkInvariants()
    return displaced
  }

  /// Puts an element in the place of the one that was combined with it, or first if there was none.
  mutating func addCombined(_ element: Element) -> Element? {
    generation += 1
    let displaced = batch.elements.popLast()
    batch.elements.append(element)
    checkInvariants()
    return displaced
  }

  /// Checks that the elements are within the limit, begin at an element, and have their places by hash value.
  ///
  /// - Complexity: O(1), except for few elements with hash values.
  @inlinable func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      let count = batch.elements.count
      invariant(count <= limit, "C3: a collector keeps as many elements as its limit says")
      invariant(
        batch.head == 0 || count == limit && batch.head < count, "C9: only a full collector goes round")
      invariant(previous.isEmpty || previous.count == count, "C9: each distinct element has its place")
      guard count <= invariantSize else { return }
      let areEarlier = previous.indices.allSatisfy { previous[$0] ?? -1 < $0 }
      invariant(
        latest.values.allSatisfy { $0 < count } && areEarlier,
        "C9: the places of a hash value go back to earlier ones")
    #endif
  }

  /// Takes the elements out.
  mutating func takeBatch() -> CollectorBatch<Element> {
    defer { self = CollectorStore(limit: limit, generation: generation + 1, combining: combining) }
    return batch
  }
}

/// The elements of a collector that are not delivered yet, for use behind its lock.
///
/// Every method that displaces an element returns it, for release after the lock.
@frozen @usableFromInline struct CollectorStore<Element> {
  @usableFromInline let limit: Int
  @usableFromInline var batch: CollectorBatch<Element> = CollectorBatch()
  /// The latest place for each hash value, where elements are distinct.
  @usableFromInline var latest: [Int: Int] = [:]
  /// For each place, the one before it with the same hash value.
  @usableFromInline var previous: ContiguousArray<Int?> = []
  /// The number of batches taken.
  @usableFromInline var generation: Int = 0

  /// Adds an element; the oldest one makes room for it.
  @inlinable mutating func addNewest(_ element: Element) -> Element? {
    if batch.elements.count < limit {
      batch.elements.append(element)
      return nil
    }
    let place = batch.head
    let old = batch.elements[place]
    batch.elements[place] = element
    batch.head = place + 1 < limit ? place + 1 : 0
    batch.dropped += 1
    return old
  }

  /// Adds an element if there is room for it.
  @inlinable mutating func addOldest(_ element: Element) -> Element? {
    guard batch.elements.count < limit else {
      batch.dropped += 1
      return element
    }
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

  /// Adds an element at the place of the one that it equals, or behind the others.
  ///
  /// - Returns: Whether the element was added, and the displaced element. An element is not added if the candidates have
  ///   changed: then the comparison must be repeated.
  mutating func addDistinct(
    _ element: Element, _ hash: Int, at place: Int?, of candidates: Candidates
  ) -> (isAdded: Bool, displaced: Element?) {
    guard candidates.generation == generation && candidates.latest?.place == latest[hash] else {
      return (false, nil)
    }
    if let place {
      let old = batch.elements[place]
      batch.elements[place] = element
      return (true, old)
    }
    let displaced = addOldest(element)
    if displaced == nil { previous.append(latest.updateValue(previous.count, forKey: hash)) }
    return (true, displaced)
  }

  /// Takes the elements out.
  mutating func takeBatch() -> CollectorBatch<Element> {
    defer { self = CollectorStore(limit: limit, generation: generation + 1) }
    return batch
  }
}

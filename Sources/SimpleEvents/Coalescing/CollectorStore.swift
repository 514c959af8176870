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
    fileprivate(set) var elements: [(place: Int, element: Element)] = []
    fileprivate let generation: Int
    fileprivate let latest: Int?
  }

  func candidates(_ hash: Int) -> Candidates {
    var candidates = Candidates(generation: generation, latest: latest[hash])
    var next = candidates.latest
    while let place = next {
      candidates.elements.append((place, batch.elements[place]))
      next = previous[place]
    }
    return candidates
  }

  /// Adds an element at the place of the one that it equals, or behind the others.
  ///
  /// - Returns: False if other candidates have come meanwhile, so that the comparison has to be repeated; and the
  ///   displaced element.
  mutating func addDistinct(
    _ element: Element, _ hash: Int, at place: Int?, of candidates: Candidates
  ) -> (isAdded: Bool, displaced: Element?) {
    guard candidates.generation == generation && candidates.latest == latest[hash] else {
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

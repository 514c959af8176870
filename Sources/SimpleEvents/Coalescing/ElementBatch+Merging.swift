// These methods add newer elements to a batch that is retried.
extension ElementBatch {
  /// Merges the elements of a newer batch into this batch by a rule, within a limit, and adds the newer
  /// batch's count of dropped elements.
  ///
  /// The method calls the functions of the rule under no lock.
  ///
  /// - Returns: The elements for which there is no room.
  /// - Complexity: O(n) in the number of elements.
  mutating func append(
    _ newer: Self, within limit: Int, by rule: ElementLimit<Element>.Rule
  ) -> [Element] {
    dropped += newer.dropped
    guard !newer.isEmpty else { return [] }
    var displaced: [Element] = []
    var store = CollectorStore<Element>(limit: limit)
    switch rule {
    case .newest:
      store.batch = self
      displaced = newer.compactMap { store.addNewest($0) }
    case .oldest:
      store.batch = self
      displaced = newer.compactMap { store.addOldest($0) }
    case .distinct(let distinction):
      for element in self { _ = store.addDistinct(element, distinction) }
      displaced = newer.compactMap { store.addDistinct($0, distinction) }
      store.batch.dropped += dropped
    case .combined(let combine):
      store.batch.elements = ContiguousArray(zip(self, newer).lazy.map(combine))
      store.batch.dropped = dropped
    }
    self = store.batch
    return displaced
  }
}

extension CollectorStore {
  /// Adds an element in the place of an equal element, or at the end, in a batch that no other thread uses.
  ///
  /// - Returns: The element if there is no room for it.
  fileprivate mutating func addDistinct(
    _ element: Element, _ distinction: ElementLimit<Element>.Distinction
  ) -> Element? {
    let hash = distinction.hash(element)
    guard let place = candidates(hash).place(where: { distinction.areEqual($0, element) }) else {
      return addDistinct(element, hash)
    }
    _ = replace(at: place, with: element, by: distinction)
    return nil
  }
}

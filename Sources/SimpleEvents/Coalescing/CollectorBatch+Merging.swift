// The methods for a batch that is retried, and is followed by newer elements.
extension CollectorBatch {
  /// Adds the elements of a newer batch behind those of this one, within a limit, and its count of dropped
  /// elements.
  ///
  /// Calls the functions of the rule, under no lock.
  ///
  /// - Complexity: O(n) in the number of elements.
  mutating func append(_ newer: Self, within limit: Int, by rule: CollectorLimit<Element>.Rule) {
    guard !newer.isEmpty else { return dropped += newer.dropped }
    var store = CollectorStore<Element>(limit: limit)
    switch rule {
    case .newest:
      store.batch = self
      for element in newer { _ = store.addNewest(element) }
    case .oldest:
      store.batch = self
      for element in newer { _ = store.addOldest(element) }
    case .distinct(let distinction):
      for element in self { store.addDistinct(element, distinction) }
      for element in newer { store.addDistinct(element, distinction) }
      store.batch.dropped += dropped
    case .combined(let combine):
      store.batch.elements = ContiguousArray(zip(self, newer).lazy.map(combine))
      store.batch.dropped = dropped
    }
    self = store.batch
    dropped += newer.dropped
  }
}

extension CollectorStore {
  /// Replaces an equal element, or appends the element, in a batch that no other thread uses.
  fileprivate mutating func addDistinct(
    _ element: Element, _ distinction: CollectorLimit<Element>.Distinction
  ) {
    let hash = distinction.hash(element)
    let place = candidates(hash).place { distinction.areEqual($0, element) }
    _ = addDistinct(element, hash, at: place)
  }
}

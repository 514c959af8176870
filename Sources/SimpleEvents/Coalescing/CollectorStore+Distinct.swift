// The methods for distinct elements. Their places are counted on when a batch leaves elements: a place never
// belongs to two elements of one generation.
extension CollectorStore {
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

  /// The place of the first element.
  private var first: Int { base + previous.count - count }

  /// The latest place of an element with a hash value.
  private func latestPlace(_ hash: Int) -> Int? { latest[hash].flatMap { $0 < first ? nil : $0 } }

  func candidates(_ hash: Int) -> Candidates {
    var candidates = Candidates(generation: generation)
    guard let place = latestPlace(hash) else { return candidates }
    candidates.latest = (place, self[place])
    var next = previous[place - base]
    while let place = next, place >= first {
      candidates.others.append((place, self[place]))
      next = previous[place - base]
    }
    return candidates
  }

  /// Whether no other element with this hash value was added, and no batch was taken, since the candidates
  /// were read. Otherwise the comparison must be repeated.
  func hasOnly(_ candidates: Candidates, _ hash: Int) -> Bool {
    candidates.generation == generation && candidates.latest?.place == latestPlace(hash)
  }

  /// Puts the successor of an equal element in its place, and returns that element.
  mutating func replace(
    at place: Int, with element: Element, by distinction: ElementLimit<Element>.Distinction
  ) -> Element {
    let old = self[place]
    self[place] = distinction.succeed(old, element)
    return old
  }

  /// Adds an element that equals none, if there is room for it.
  mutating func addDistinct(_ element: Element, _ hash: Int) -> Element? {
    let displaced = addOldest(element)
    if displaced == nil { previous.append(latest.updateValue(base + previous.count, forKey: hash)) }
    checkInvariants()
    return displaced
  }

  /// Removes the places of elements that were taken, once they are more than those of queued elements.
  ///
  /// - Complexity: Amortised O(1) for each element that was taken.
  mutating func forgetTaken() {
    let taken = previous.count - count
    guard taken > count else { return }
    previous.removeFirst(taken)
    base += taken
    latest = latest.filter { $0.value >= base }
  }

  private subscript(place: Int) -> Element {
    get {
      let index = place - first
      return index < older.count ? older[older.count - 1 - index] : batch.elements[index - older.count]
    }
    set {
      let index = place - first
      if index < older.count {
        older[older.count - 1 - index] = newValue
      } else {
        batch.elements[index - older.count] = newValue
      }
    }
  }
}

// These methods serve distinct elements, each of which has a numbered place. If a batch leaves elements, they
// keep their places, and new elements get higher numbers. No place therefore belongs to two elements of one
// generation.
extension CollectorStore {
  /// The elements that may equal a new element, because their hash values are equal.
  struct Candidates {
    fileprivate let generation: Int
    /// The latest candidate. In most cases it is the only one, and no array is needed.
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

  /// The latest place of an element with the given hash value.
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
  /// were read. Otherwise the caller must compare again.
  func hasOnly(_ candidates: Candidates, _ hash: Int) -> Bool {
    candidates.generation == generation && candidates.latest?.place == latestPlace(hash)
  }

  /// Replaces the element at a place, because an equal element is added; returns the replaced element. The
  /// function `succeed` of the distinction returns the element that takes the place of both.
  mutating func replace(
    at place: Int, with element: Element, by distinction: ElementLimit<Element>.Distinction
  ) -> Element {
    let old = self[place]
    self[place] = distinction.succeed(old, element)
    return old
  }

  /// Adds an element that equals no queued element, if there is room for it; returns the element if there is
  /// no room.
  mutating func addDistinct(_ element: Element, _ hash: Int) -> Element? {
    let displaced = addOldest(element)
    if displaced == nil { previous.append(latest.updateValue(base + previous.count, forKey: hash)) }
    checkInvariants()
    return displaced
  }

  /// Removes the places of taken elements if they outnumber the places of queued elements.
  ///
  /// - Complexity: Amortised O(1) for each taken element.
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

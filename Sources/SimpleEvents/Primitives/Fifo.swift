/// A queue, first in first out.
///
/// It is an array with a head, because removing the first element of an array moves all others. The storage
/// of a burst is released when the last element leaves (V7); a small one is kept for the next elements.
// NB: inlinable throughout. Code that is compiled once for every element takes several times as long.
@frozen @usableFromInline package struct Fifo<Element> {
  /// Nil before the head: an element that leaves is released immediately.
  @usableFromInline var elements: ContiguousArray<Element?> = []
  @usableFromInline var head: Int = 0

  @inlinable package init() {}

  /// Creates a queue of elements, first come first.
  @inlinable package init(_ elements: some Sequence<Element>) {
    self.elements = ContiguousArray(elements.lazy.map { $0 })
  }

  @inlinable package var count: Int { elements.count - head }
  @inlinable package var isEmpty: Bool { head == elements.count }

  /// The element that leaves next.
  @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

  /// The element that came last.
  @inlinable package var last: Element? {
    get { isEmpty ? nil : elements[elements.count - 1] }
    set { elements[elements.count - 1] = newValue }
  }

  /// The elements, first come first.
  ///
  /// - Complexity: O(n).
  @inlinable package var all: [Element] { elements[head...].compactMap { $0 } }

  /// - Complexity: Amortised O(1).
  @inlinable package mutating func append(_ element: Element) { elements.append(element) }

  /// Adds an element that leaves before the others.
  ///
  /// - Complexity: Amortised O(1).
  @inlinable package mutating func prepend(_ element: Element) {
    if head == 0 {
      head = elements.count + 1
      elements.insert(contentsOf: repeatElement(nil, count: head), at: 0)
    }
    head -= 1
    elements[head] = element
  }

  /// Removes and returns the first element; nil if there is none.
  ///
  /// - Complexity: Amortised O(1).
  @inlinable package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = elements[head]
    elements[head] = nil
    head += 1
    if isEmpty || head >= 16 && head > count { shrink() }
    return first
  }

  /// Removes the last element, if there is one.
  @inlinable package mutating func removeLast() {
    elements.removeLast()
    if isEmpty { shrink() }
  }

  @inlinable mutating func shrink() {
    if isEmpty {
      elements.removeAll(keepingCapacity: elements.capacity <= 16)
    } else {
      // At least as many elements were removed before as are moved now.
      elements.removeFirst(head)
    }
    head = 0
    checkInvariants()
  }

  /// Checks that exactly the removed elements are nil.
  @inlinable package func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      invariant(head <= elements.count, "the head of a queue is not behind its end")
      guard elements.count <= invariantSize else { return }
      for (index, element) in elements.enumerated() {
        let hasLeft = if case .none = element { true } else { false }
        invariant(hasLeft == (index < head), "a queue keeps the elements that have not left")
      }
    #endif
  }
}

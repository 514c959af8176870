/// A queue, first in first out.
///
/// It is an array with a head, because removing the first element of an array moves all others. When the
/// queue becomes empty, the storage is released if it is large (V7), and kept if it is small.
// NB: every member is inlinable. Code that is not specialised for the element takes several times as long.
@frozen @usableFromInline package struct Fifo<Element> {
  /// The slots before the head are nil, so a removed element is released immediately.
  @usableFromInline var elements: ContiguousArray<Element?> = []
  @usableFromInline var head: Int = 0

  @inlinable package init() {}

  /// Creates a queue of elements, in their order.
  @inlinable package init(_ elements: some Sequence<Element>) {
    self.elements = ContiguousArray(elements.lazy.map { $0 })
  }

  @inlinable package var count: Int { elements.count - head }
  @inlinable package var isEmpty: Bool { head == elements.count }

  /// The element that is removed next; nil if the queue is empty.
  @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

  /// The element that was added last; nil if the queue is empty.
  @inlinable package var last: Element? {
    get { isEmpty ? nil : elements[elements.count - 1] }
    set { elements[elements.count - 1] = newValue }
  }

  /// The elements, in the order of their removal.
  ///
  /// - Complexity: O(n).
  @inlinable package var all: [Element] { elements[head...].compactMap { $0 } }

  /// - Complexity: Amortised O(1).
  @inlinable package mutating func append(_ element: Element) { elements.append(element) }

  /// Adds an element in front of the others.
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
    if isEmpty || head >= 16 && head > 2 * count { shrink() }
    return first
  }

  @inlinable mutating func shrink() {
    if isEmpty {
      elements.removeAll(keepingCapacity: elements.capacity <= 16)
    } else {
      // `prepend` reserves about as many slots as there are elements. Here, there are more than twice as many
      // free slots as elements. For each element that was removed since the reservation, at most two elements
      // are therefore moved, so the cost of the move is amortised.
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

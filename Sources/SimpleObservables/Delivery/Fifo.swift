/// Elements that leave in the order they came.
///
/// An array with a head, since taking the first element off an array moves all the others.
@frozen
@usableFromInline
struct Fifo<Element> {
  /// Nil before the head: what has left is released at once.
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head: Int = 0

  @inlinable
  init() {}

  @inlinable var count: Int { elements.count - head }
  @inlinable var isEmpty: Bool { count == 0 }

  /// The elements, first come first.
  ///
  /// - Complexity: O(n).
  @usableFromInline var all: [Element] { elements[head...].compactMap { $0 } }

  /// - Complexity: Amortised O(1).
  @usableFromInline
  mutating func append(_ element: Element) {
    elements.append(element)
  }

  /// Takes the first element off; nil if there is none.
  ///
  /// - Complexity: Amortised O(1).
  @usableFromInline
  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = elements[head]
    elements[head] = nil
    head += 1
    if isEmpty {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 16 && head > count {
      // As many have left as move now.
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}

/// The elements that a collector or batch loop delivers together, in the order in which they were added (C9).
@frozen public struct ElementBatch<Element> {
  @usableFromInline var elements: ContiguousArray<Element> = []
  /// The index of the first element of the batch. The elements before this index follow the last element of
  /// the array.
  @usableFromInline var head: Int = 0
  @usableFromInline var dropped: Int = 0

  @inlinable package init() {}

  /// The number of elements that the limit or the policy has dropped since the last batch or cancellation.
  ///
  /// If a batch loop retries a batch, each attempt has the count of the previous attempt, plus the elements
  /// that were dropped since then (L9). To count each dropped element once, add the count to a total only
  /// after the work of the body has succeeded.
  @inlinable public var droppedCount: Int { dropped }
}

extension ElementBatch {
  /// Returns a batch of transformed elements, with the same count of dropped elements.
  package func mapElements<Other>(_ transform: (Element) -> Other) -> ElementBatch<Other> {
    var batch = ElementBatch<Other>()
    // NB: this code uses pointers, because `map` takes many times as long where it is not specialised.
    batch.elements = unsafe elements.withUnsafeBufferPointer { old in
      // SAFETY: each place of the new array below its count is initialised once, and each index into the old
      // array is below the count of the old array.
      unsafe ContiguousArray(unsafeUninitializedCapacity: old.count) { new, count in
        for index in 0..<old.count {
          let place = head + index
          let element = unsafe transform(old[place < old.count ? place : place - old.count])
          unsafe new.initializeElement(at: index, to: element)
        }
        count = old.count
      }
    }
    batch.dropped = dropped
    return batch
  }
}

extension ElementBatch: RandomAccessCollection {
  /// The index of the first element, zero.
  @inlinable public var startIndex: Int { 0 }

  /// The number of elements.
  @inlinable public var endIndex: Int { elements.count }

  /// The element at an index.
  ///
  /// - Complexity: O(1).
  @inlinable public subscript(index: Int) -> Element {
    precondition(indices.contains(index), "the index is out of the range of the batch")
    let place = head + index
    return elements[place < elements.count ? place : place - elements.count]
  }
}

extension ElementBatch: Sendable where Element: Sendable {}

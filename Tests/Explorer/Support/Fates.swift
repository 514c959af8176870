internal import ExplorerEngine

/// Records the elements that a collector or a batch loop delivers and drops.
final class Fates {
  private(set) var delivered: [Int] = []
  private(set) var dropped: [Int] = []

  func deliver(_ elements: some Sequence<Int>) { delivered += elements }

  func drop(_ element: Int) {
    expectUnlocked()
    step()
    dropped.append(element)
  }

  /// Expects that each of the given elements was either delivered or dropped, once.
  func expectAll(_ elements: [Int], inOrder groups: [[Int]]) {
    expect((delivered + dropped).sorted() == elements, "C9: each element is delivered or dropped, once")
    for group in groups {
      let own = delivered.filter(group.contains)
      expect(own == own.sorted(), "C9: elements are delivered in order")
    }
  }
}

/// Returns a function that receives dropped elements, for a scenario whose fibers all run on one thread.
func onDrop(_ fates: Fates) -> @Sendable (Int) -> Void {
  nonisolated(unsafe) let fates = fates
  return { fates.drop($0) }
}

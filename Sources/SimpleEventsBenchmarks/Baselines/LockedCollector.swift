internal import Dispatch
internal import Synchronization

/// A hand-written collector of the newest elements: an array and a flag for the pending delivery, behind a
/// lock.
final class LockedCollector: Sendable {
  private struct State {
    var elements: [Int] = []
    var isPending: Bool = false
  }

  private let queue: DispatchQueue
  private let limit: Int
  private let block: @Sendable (ArraySlice<Int>) -> Void
  /// Guards the elements and the flag.
  private let state: Mutex<State> = Mutex(State())

  init(_ queue: DispatchQueue, limit: Int, _ block: @escaping @Sendable (ArraySlice<Int>) -> Void) {
    self.queue = queue
    self.limit = limit
    self.block = block
  }

  func add(_ element: Int) {
    let isFirst = state.withLock { state in
      // Elements are moved at twice the limit, so that the cost of the move is spread over many additions.
      if state.elements.count == 2 * limit {
        state.elements.removeFirst(limit)
      }
      state.elements.append(element)
      defer { state.isPending = true }
      return !state.isPending
    }
    if isFirst {
      queue.async { self.deliver() }
    }
  }

  private func deliver() {
    let elements = state.withLock { state in
      defer { state = State() }
      return state.elements
    }
    block(elements.suffix(limit))
  }
}

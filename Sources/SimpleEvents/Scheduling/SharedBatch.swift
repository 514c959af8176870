internal import Dispatch
internal import Synchronization

/// Elements that one block of a dispatch queue, a *hop*, serves in order. Further hops may share the
/// elements.
///
/// On a concurrent queue, a long delivery must not delay the deliveries after it. A long delivery may even
/// wait until a later delivery is made. Dispatch does not say whether a queue is concurrent. A hop with more
/// than one element to serve therefore queues another hop, which shares the elements. On a serial queue, the
/// second hop runs after the first hop has served all elements, and has nothing to do.
final class SharedBatch<Element: Sendable>: Sendable {
  private let elements: ContiguousArray<Element>
  /// The index of the next element. All accesses are relaxed, because the queue publishes the batch to each
  /// hop.
  private let next: Atomic<Int> = Atomic(0)
  private let serve: @Sendable (Element) -> Void

  /// - Parameter serve: The closure that serves an element. It is called once for each element.
  init(_ elements: ContiguousArray<Element>, _ serve: @escaping @Sendable (Element) -> Void) {
    self.elements = elements
    self.serve = serve
  }

  /// Serves the elements that no other hop has taken. Called on the queue.
  func run(on queue: DispatchQueue) {
    if next.load(ordering: .relaxed) < elements.count - 1 { queue.async { [self] in run(on: queue) } }
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < elements.count else { return }
      serve(elements[index])
    }
  }
}

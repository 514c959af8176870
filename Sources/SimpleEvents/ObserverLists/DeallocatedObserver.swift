/// A stand-in for an observer that was found deallocated while another thread might be about to remove it.
///
/// It keeps the type and the call site for a later diagnostic, after the memory of the entry was released.
final class DeallocatedObserver: ObserverEntry {
  private let type: Any.Type

  init(_ observer: WeakObserver) {
    type = observer.type
    super.init(.weak, observer.origin)
  }

  override var typeName: String { "\(type)" }

  override var isAlive: Bool { false }
}

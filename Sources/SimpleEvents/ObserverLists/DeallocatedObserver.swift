/// A stand-in for an observer that was found deallocated while another thread might be about to remove it.
///
/// It keeps the facts for a later diagnostic without the memory that the entry itself holds. It is in no
/// slot, so it is never called.
final class DeallocatedObserver: ObserverEntry {
  private let type: Any.Type

  init(_ observer: WeakObserver) {
    type = observer.type
    super.init(.weak, observer.origin)
  }

  override var typeName: String { "\(type)" }

  override var isAlive: Bool { false }
}

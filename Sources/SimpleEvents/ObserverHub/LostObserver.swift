/// Stands in for an observer that was found dead while another thread might be about to remove it.
///
/// What is needed to flag it later, without the memory that the entry itself holds on to. It is in no slot:
/// nobody calls it.
final class LostObserver: ObserverEntry {
  private let type: Any.Type

  init(_ observer: WeakObserver) {
    type = observer.type
    super.init(isWeak: false, at: observer.site)
  }

  override var observerName: String { "\(type)" }

  override var isAlive: Bool { false }
}

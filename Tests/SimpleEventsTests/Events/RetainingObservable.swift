import SimpleEvents

/// An observable that calls its blocks after their tokens have been removed.
///
/// It stands for an event that another thread triggers: a notification can be in progress when a token is
/// removed.
final class RetainingObservable: SimpleEventObservable {
  private final class Token: SimpleEventToken {
    func remove() {}
  }

  private var blocks: [ObserverBlock] = []

  func addObserver(_ token: inout (any SimpleEventToken)?, _ block: @escaping ObserverBlock) {
    blocks.append(block)
    token = Token()
  }

  func addObserver(_ observer: any SimpleEventObserver) {}

  func removeObserver(_ observer: any SimpleEventObserver) {}

  func notify() {
    for block in blocks { block(self) }
  }

  func removeAll() {
    blocks = []
  }
}

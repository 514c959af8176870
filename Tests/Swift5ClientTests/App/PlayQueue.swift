import SimpleEvents

/// A model with a hub for its own observer protocol.
final class PlayQueue {
  private let hub = ObserverHub<QueueObserver>()

  var isObserved: Bool { !hub.isEmpty }

  func addObserver(_ observer: QueueObserver) { hub.add(observer) }
  func removeObserver(_ observer: QueueObserver) { hub.remove(observer) }

  func add(_ title: String) {
    hub.forEach { $0.queue(self, didAdd: title) }
  }

  func clear() {
    hub.forEach { observer in
      let queue = self
      observer.queueDidClear(queue)
    }
  }

  func forEachObserver(_ body: (QueueObserver) -> Void) {
    hub.forEach(body)
  }
}

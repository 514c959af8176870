import TestSupport

/// An observer that adds itself, and removes itself in its `deinit`.
final class QueueView: QueueObserver {
  private let queue: PlayQueue
  private let log: Log
  private let name: String
  var onClear: () -> Void = {}

  init(_ name: String, _ queue: PlayQueue, _ log: Log) {
    self.name = name
    self.queue = queue
    self.log = log
    queue.addObserver(self)
  }

  deinit {
    queue.removeObserver(self)
  }

  func queue(_ queue: PlayQueue, didAdd title: String) {
    log.add("\(name) adds \(title)")
  }

  func queueDidClear(_ queue: PlayQueue) {
    log.add("\(name) clears")
    onClear()
  }
}

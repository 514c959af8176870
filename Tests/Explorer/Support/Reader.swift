internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Uses a cursor as a task does: takes the available notifications, waits if there are none, and takes again
/// when it is woken.
final class Reader: @unchecked Sendable {
  // SAFETY: all fibers run on one thread.
  let cursor: NotificationCursor
  private(set) var count: Int = 0
  private(set) var hasEnded: Bool = false
  private var isWoken: Bool = false
  private let onNotification: () -> Void
  private let queue: DispatchQueue

  init(_ cursor: NotificationCursor, on queue: DispatchQueue, _ onNotification: @escaping () -> Void = {}) {
    self.cursor = cursor
    self.queue = queue
    self.onNotification = onNotification
  }

  /// Reads until it has to wait. After a wake-up, the reading continues on the queue.
  func read() {
    while cursor.take() {
      count += 1
      onNotification()
    }
    isWoken = false
    cursor.wait { [self] _ in
      expectUnlocked()
      expect(!isWoken, "N2: a waiting cursor is woken once")
      isWoken = true
      queue.run { [self] in
        if cursor.consume() {
          count += 1
          onNotification()
          read()
        } else {
          hasEnded = true
        }
      }
    }
  }
}

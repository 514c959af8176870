internal import Dispatch
internal import Synchronization

/// A hand-written delivery of the newest value on a queue: an optional value behind a lock, nil if no value
/// is pending.
final class LockedLatest: Sendable {
  private let queue: DispatchQueue
  private let block: @Sendable (Int) -> Void
  /// Guards the value.
  private let value: Mutex<Int?> = Mutex(nil)

  init(_ queue: DispatchQueue, _ block: @escaping @Sendable (Int) -> Void) {
    self.queue = queue
    self.block = block
  }

  func update(_ newValue: Int) {
    let isFirst = value.withLock { value in
      defer { value = newValue }
      return value == nil
    }
    if isFirst {
      queue.async { self.deliver() }
    }
  }

  private func deliver() {
    let value = value.withLock { value in
      defer { value = nil }
      return value
    }
    if let value { block(value) }
  }
}

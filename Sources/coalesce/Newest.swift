internal import Synchronization

/// The newest line that was not written yet: put there by the reader, taken by the queue.
final class Newest: Sendable {
  private let line: Mutex<[UInt8]?> = Mutex(nil)

  func put(_ newest: [UInt8]) {
    line.withLock { $0 = newest }
  }

  func take() -> [UInt8]? {
    line.withLock { line in
      defer { line = nil }
      return line
    }
  }
}

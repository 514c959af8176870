import Foundation
import Testing

/// A named pipe. A process that reads a line from it waits until the gate is opened.
final class Gate {
  let path: String = NSTemporaryDirectory() + "gate-\(UUID().uuidString)"

  init() throws {
    try #require(mkfifo(path, 0o600) == 0)
  }

  deinit { unlink(path) }

  /// Waits for a reader, and lets the reader continue.
  func open() throws {
    try Data("\n".utf8).write(to: URL(fileURLWithPath: path))
  }
}

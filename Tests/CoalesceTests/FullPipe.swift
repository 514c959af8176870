import Foundation
import Testing

/// A named pipe that is full. A process that writes into it waits.
final class FullPipe {
  let path: String = NSTemporaryDirectory() + "full-\(UUID().uuidString)"
  private let file: Int32

  init() throws {
    try #require(mkfifo(path, 0o600) == 0)
    // A descriptor for reading and writing opens the pipe without waiting, and keeps it open.
    file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(file >= 0)
    let bytes = [UInt8](repeating: 0, count: 4096)
    while write(file, bytes, bytes.count) > 0 {}
  }

  deinit {
    close(file)
    unlink(path)
  }
}

import Foundation

/// The output of a shell script, which does not end before `end()` is called.
final class Feed {
  private let process = Process()
  private let pipe = Pipe()

  var output: FileHandle { pipe.fileHandleForReading }

  init(_ script: String) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    // Not the pipe itself, whose end for writing is closed after the start.
    process.standardOutput = pipe.fileHandleForWriting
    for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    try process.run()
  }

  func end() throws {
    process.waitUntilExit()
    try pipe.fileHandleForWriting.close()
  }
}

import Foundation

/// The output of a shell script. The output does not end before `end()` is called.
final class Feed {
  private let process = Process()
  private let pipe = Pipe()

  var output: FileHandle { pipe.fileHandleForReading }

  init(_ script: String) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    // The script gets the handle and not the pipe, because the start closes the pipe's end for writing.
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

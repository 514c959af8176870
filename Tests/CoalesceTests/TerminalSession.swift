#if os(Linux)
  import Foundation
  import Testing

  /// A shell script in a session of its own. A test types on the terminal of the session.
  ///
  /// The script is in the foreground process group of the terminal. In the script, `"$1"` is the path of the
  /// tool. A script that does not end is killed after 60 seconds, so that its test fails instead of hanging.
  final class TerminalSession {
    private let terminal: Terminal
    private let process = Process()
    private var text: String = ""

    init(_ script: String) throws {
      resetKeySignals()
      terminal = try Terminal(columns: 80)
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      let limit = ["timeout", "--foreground", "--signal=KILL", "60"]
      process.arguments = ["setsid", "--ctty", "--wait"] + limit + ["sh", "-c", script, "sh", Tool.path]
      process.standardInput = terminal.far
      process.standardOutput = terminal.far
      process.standardError = terminal.far
      try process.run()
      try terminal.far.close()
    }

    func type(_ text: String) throws {
      try terminal.near.write(contentsOf: Data(text.utf8))
    }

    /// Reads until a text was written; throws if the session ends first.
    func wait(for expected: String) throws {
      while !text.contains(expected) { try #require(readSome(), "the session ended with \(text)") }
    }

    /// Returns the number after a text that was written.
    func number(after prefix: String) -> Int32? {
      text.ranges(of: prefix).last.flatMap { Int32(text[$0.upperBound...].prefix { $0.isNumber }) }
    }

    /// Waits for the end of the session; returns all its text.
    func end() -> String {
      while readSome() {}
      process.waitUntilExit()
      return text
    }

    /// Reads the text that is available; returns false when all processes have closed the terminal.
    private func readSome() -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(terminal.near.fileDescriptor, &buffer, buffer.count)
      guard count > 0 else { return false }
      text += String(decoding: buffer[..<count], as: UTF8.self).replacing("\r\n", with: "\n")
      return true
    }
  }
#endif

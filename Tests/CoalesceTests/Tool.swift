import Dispatch
import Foundation
import Testing

/// The built tool in a process of its own, with pipes for its input and output.
///
/// A read waits for the tool. A tool that does not answer is killed after 60 seconds, so that its test fails
/// instead of hanging. Only `send(_:)` may be called by several threads.
// SAFETY: `@unchecked`, because `send(_:)` uses only the input pipe, which is constant. One thread uses all
// other members.
final class Tool: @unchecked Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var received: [UInt8] = []
  /// An instant before the start of the tool.
  let start: DispatchTime = .now()

  var processID: Int32 { process.processIdentifier }

  /// The path of the built tool.
  static var path: String { products.appendingPathComponent("coalesce").path }

  /// Starts the tool.
  ///
  /// - Parameters:
  ///   - options: The options, separated by spaces.
  ///   - command: The words after `--`.
  ///   - file: The tool's standard input; nil for a pipe.
  ///   - outputFile: The tool's standard output; nil for a pipe.
  ///   - shell: A shell script that starts the tool as `"$@"`.
  ///   - environment: Variables that are added to the environment.
  init(
    _ options: String, command: [String] = [], reading file: FileHandle? = nil,
    writing outputFile: FileHandle? = nil, shell: String? = nil, environment: [String: String] = [:]
  ) throws {
    resetKeySignals()
    let arguments =
      options.split(separator: " ").map(String.init) + (command.isEmpty ? [] : ["--"]) + command
    process.executableURL = URL(fileURLWithPath: shell == nil ? Self.path : "/bin/sh")
    process.arguments = (shell.map { ["-c", $0, "sh", Self.path] } ?? []) + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = file ?? input
    process.standardOutput = outputFile ?? output
    process.standardError = errors
    // Another child must not inherit a pipe and hold it open, because the end of this tool's output or input
    // would not be noticed.
    for pipe in [input, output, errors] {
      for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
    }
    try process.run()
    let processID = process.processIdentifier
    for (number, seconds) in [(SIGTERM, 60), (SIGINT, 61), (SIGKILL, 62)] {
      // The second signal kills the command. The command may hold the pipes open.
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
        if self?.process.isRunning == true { kill(processID, number) }
      }
    }
  }

  /// The folder of the built products. It also contains the test program.
  private static var products: URL {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    #else
      return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    #endif
  }

  func send(_ text: String) throws {
    try send(Data(text.utf8))
  }

  func send(_ bytes: Data) throws {
    try input.fileHandleForWriting.write(contentsOf: bytes)
  }

  func endInput() throws {
    try input.fileHandleForWriting.close()
  }

  func closeOutput() throws {
    try output.fileHandleForReading.close()
  }

  /// Sends a signal to the tool.
  func signal(_ number: Int32) {
    kill(processID, number)
  }

  /// The number of bytes in the tool's input pipe.
  var unreadCount: Int32 {
    var count: Int32 = 0
    _ = ioctl(input.fileHandleForWriting.fileDescriptor, UInt(FIONREAD), &count)
    return count
  }

  /// Waits for the next line, and returns nil at the end of the output.
  func line(_ delimiter: UInt8 = UInt8(ascii: "\n")) -> String? {
    while true {
      if let end = received.firstIndex(of: delimiter) {
        defer { received.removeFirst(end + 1) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { return nil }
      received += data
    }
  }

  /// Waits for a given line, and returns the instant of its arrival; throws at the end of the output.
  @discardableResult
  func arrival(of expected: String) throws -> DispatchTime {
    while try #require(line(), "the output ended before \(expected)") != expected {}
    return .now()
  }

  /// Ends the input and waits for the exit of the tool.
  func finish() throws -> Outcome {
    try endInput()
    return outcome()
  }

  /// Waits for the exit of the tool.
  func outcome() -> Outcome {
    let rest = output.fileHandleForReading.readDataToEndOfFile()
    let errors = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: received + rest, errors: Array(errors))
  }

  /// Waits for the exit of a tool whose output is not a pipe, or was closed.
  func silentOutcome() -> Outcome {
    let errors = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: [], errors: Array(errors))
  }
}

/// Restores the default actions of the signals that the keys of a terminal send. Processes that are started
/// later inherit them.
///
/// A shell starts a background program with these signals ignored, and the tool then keeps them ignored.
func resetKeySignals() {
  for number in [SIGINT, SIGQUIT, SIGTSTP] { signal(number, SIG_DFL) }
}

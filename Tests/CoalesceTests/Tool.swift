import Dispatch
import Foundation
import Testing

/// The built tool in a process of its own, with pipes for its input and output.
///
/// Reading waits for the tool. A tool that does not answer is killed after 30 seconds, so that its test
/// fails instead of hanging. Only `send(_:)` may be called from several threads.
// SAFETY: `@unchecked`, since `send(_:)` uses the input pipe alone, which is constant, and one thread uses
// all other members.
final class Tool: @unchecked Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var received: [UInt8] = []
  /// An instant before the start of the tool.
  let start: DispatchTime = .now()

  var processID: Int32 { process.processIdentifier }

  /// Starts the tool.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, separated by spaces.
  ///   - file: The tool's standard input in the place of the pipe.
  init(_ arguments: String, reading file: FileHandle? = nil) throws {
    process.executableURL = Self.products.appendingPathComponent("coalesce")
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.standardInput = file ?? input
    process.standardOutput = output
    process.standardError = errors
    // Another child that inherited a pipe would hold it open: an end of this tool's output or input would not be seen.
    for pipe in [input, output, errors] {
      for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
    }
    try process.run()
    let processID = process.processIdentifier
    DispatchQueue.global().asyncAfter(deadline: .now() + 30) { [weak self] in
      // Not SIGTERM, which a child of a Dispatch thread inherits blocked.
      if self?.process.isRunning == true {
        kill(processID, SIGKILL)
      }
    }
  }

  /// The folder of the built products, which is also that of the test.
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

  /// Waits for the next line, and returns nil at the end of the output.
  func line() -> String? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeFirst(end + 1) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { return nil }
      received += data
    }
  }

  /// Waits for a given line and returns the instant of its arrival; throws at the end of the output.
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

  /// Waits for the exit of a tool whose output was closed.
  func silentOutcome() -> Outcome {
    let errors = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: [], errors: Array(errors))
  }
}

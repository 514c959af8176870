import Dispatch
import Foundation
import Testing

/// The tool as it was built, in a process of its own with a pipe at each end.
///
/// Its reads wait for the tool. One that never answers is ended after a while, so that a defect shows as
/// a test that fails and not as one that hangs. Used on one thread, save for `send(_:)`.
final class Tool: @unchecked Sendable {
  // NB: `@unchecked`: another thread uses the input only, while the test uses all else.

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var received: [UInt8] = []
  /// When the tool was about to be started.
  let start: DispatchTime = .now()

  var processID: Int32 { process.processIdentifier }

  /// Starts the tool.
  ///
  /// - Parameter file: What to read instead of the pipe.
  init(_ arguments: String, reading file: FileHandle? = nil) throws {
    process.executableURL = Self.products.appendingPathComponent("coalesce")
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.standardInput = file ?? input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    DispatchQueue.global().asyncAfter(deadline: .now() + 30) { [weak self] in
      self?.process.terminate()
    }
  }

  /// Where the package manager puts what it builds: beside this test.
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

  /// Waits for the next line; nil at the end of output.
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

  /// Waits for a certain line, and returns when it came; throws at the end of output.
  func arrival(of expected: String) throws -> DispatchTime {
    while try #require(line(), "the output ended before \(expected)") != expected {}
    return .now()
  }

  /// Ends the input, and waits for the end of the tool.
  func finish() throws -> Outcome {
    try endInput()
    return outcome()
  }

  /// Waits for the end of the tool.
  func outcome() -> Outcome {
    let rest = output.fileHandleForReading.readDataToEndOfFile()
    let errors = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: received + rest, errors: Array(errors))
  }

  /// Waits for the end of a tool whose output was closed; returns its status and what it complained of.
  func silentOutcome() -> Outcome {
    let errors = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: [], errors: Array(errors))
  }
}

/// How the tool ended, and what it had still to say.
struct Outcome: Equatable, CustomStringConvertible {
  var status: Int32
  var output: [UInt8]
  var errors: [UInt8]

  /// A tool that wrote some text, did not complain, and ended well.
  static func wrote(_ text: String) -> Outcome {
    Outcome(status: 0, output: Array(text.utf8), errors: [])
  }

  var description: String {
    "status \(status), output \(text(output)), errors \(text(errors))"
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(200), as: UTF8.self).debugDescription
  }
}

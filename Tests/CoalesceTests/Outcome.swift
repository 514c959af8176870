/// The exit status of the tool, and the output that was not read during the test.
struct Outcome: Equatable, CustomStringConvertible {
  var status: Int32
  var output: [UInt8]
  var errors: [UInt8]

  /// Returns the outcome of a tool that wrote a text, reported no error and succeeded.
  static func wrote(_ text: String) -> Outcome {
    Outcome(status: 0, output: Array(text.utf8), errors: [])
  }

  /// The standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// The standard error as text.
  var message: String { String(decoding: errors, as: UTF8.self) }

  var description: String {
    "status \(status), output \(text(output)), errors \(text(errors))"
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(200), as: UTF8.self).debugDescription
  }
}

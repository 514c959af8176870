/// The key of a line. Lines with the same key are delivered together.
///
/// A command receives the key in its environment and its arguments. A key therefore has at most 65,536 bytes
/// and no zero byte: lines that differ only in bytes that the command cannot see have the same key.
package struct LineKey: Hashable, Sendable {
  /// The largest number of bytes of a key.
  package static let limit: Int = 65_536

  /// The bytes of the key, which need not be text.
  package let bytes: [UInt8]

  /// Creates a key from the bytes before the first zero byte, up to the limit.
  package init(_ bytes: ArraySlice<UInt8>) {
    let kept = bytes.prefix(Self.limit)
    self.bytes = Array(kept.position(of: 0).map { kept[..<$0] } ?? kept)
  }

  package func hash(into hasher: inout Hasher) {
    // SAFETY: the call reads the bytes within their length, and the bytes are alive during the call.
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

extension LineKey: CustomStringConvertible {
  /// The key in quotation marks, with control characters escaped, for a message on a terminal.
  package var description: String { String(decoding: bytes, as: UTF8.self).debugDescription }
}

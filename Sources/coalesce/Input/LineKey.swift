/// The value of a line by which the lines of one key are delivered together.
///
/// A command gets it in its environment and its arguments. So it has at most 65,536 bytes, and no zero byte:
/// what the command cannot see does not make two keys different.
package struct LineKey: Hashable, Sendable {
  /// The largest number of bytes of a key.
  package static let limit: Int = 65_536

  /// The bytes, which need not be text.
  package let bytes: [UInt8]

  /// Creates a key from the bytes before the first zero byte, up to the limit.
  package init(_ bytes: ArraySlice<UInt8>) {
    let kept = bytes.prefix(Self.limit)
    self.bytes = Array(kept.position(of: 0).map { kept[..<$0] } ?? kept)
  }

  package func hash(into hasher: inout Hasher) {
    // SAFETY: the call reads the bytes, which are alive during it, within their length.
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

extension LineKey: CustomStringConvertible {
  /// The key in quotation marks, with control characters escaped, for a message on a terminal.
  package var description: String { String(decoding: bytes, as: UTF8.self).debugDescription }
}

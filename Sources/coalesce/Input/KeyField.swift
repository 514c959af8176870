/// The field of a line that is its key, numbered as by `cut` and `awk`.
package struct KeyField: Equatable, Sendable {
  /// The number of the field. The first field has the number one. Zero is the whole line.
  package var number: Int
  /// The byte that ends a field, as in `cut`; nil if fields are separated by any number of blanks, as in
  /// `awk`.
  package var separator: UInt8?

  package init(_ number: Int, separator: UInt8? = nil) {
    self.number = number
    self.separator = separator
  }

  /// Returns the key of a line; the key is empty if the line has no such field.
  ///
  /// - Complexity: O(n) in the bytes from the start of the line to the end of the field.
  package func key(of line: ArraySlice<UInt8>) -> LineKey {
    var rest = line
    var count = 0
    while count < number {
      if separator == nil { rest = rest.drop(while: Self.isBlank) }
      let end = separator.map { rest.position(of: $0) } ?? rest.firstIndex(where: Self.isBlank)
      count += 1
      if count == number { return LineKey(rest[..<(end ?? rest.endIndex)]) }
      guard let end else { return LineKey([]) }
      rest = rest[(end + 1)...]
    }
    return LineKey(line)
  }

  /// Whether a byte is a space, a tab or a newline. A newline is part of a line only with `--null`.
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
  }
}

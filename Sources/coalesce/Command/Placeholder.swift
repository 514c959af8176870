/// The word that stands for the key in the arguments of a command: `{}`.
package enum Placeholder {
  /// Replaces each placeholder in a word by a key. A placeholder may be a part of the word.
  package static func replaced(in word: ArraySlice<UInt8>, by key: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = word
    while let start = rest.position(of: UInt8(ascii: "{")) {
      let isPlaceholder = rest[(start + 1)...].first == UInt8(ascii: "}")
      result += rest[..<start] + (isPlaceholder ? key : [rest[start]])
      rest = rest[(start + (isPlaceholder ? 2 : 1))...]
    }
    return result + rest
  }
}

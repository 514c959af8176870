import Testing
import coalesce

struct KeyFieldTests {
  @Test(
    "KeyField: blanks separate fields as in awk",
    arguments: [
      (0, "  a  b ", "  a  b "), (1, "a b", "a"), (2, "a b", "b"), (1, " \t a\tb", "a"),
      (2, "a \t  b c", "b"),
      (3, "a b", ""), (2, "a ", ""), (1, "", ""), (1, "   ", ""), (0, "", ""), (2, "a b\r", "b\r"),
      (.max, "a b c", ""),
    ])
  func blanks(_ number: Int, _ line: String, _ key: String) {
    #expect(self.key(KeyField(number), line) == key)
  }

  @Test(
    "KeyField: a separator ends each field as in cut",
    arguments: [
      (0, "a:b", "a:b"), (1, "a:b", "a"), (2, "a:b:c", "b"), (2, "a::c", ""), (1, ":b", ""), (2, "a:", ""),
      (2, "a", ""), (3, "a: b : c", " c"), (1, "", ""), (.max, "a:b", ""),
    ])
  func separators(_ number: Int, _ line: String, _ key: String) {
    #expect(self.key(KeyField(number, separator: UInt8(ascii: ":")), line) == key)
  }

  @Test("KeyField: a newline in a line separates fields")
  func newline() {
    #expect(key(KeyField(2), "a\nb") == "b")
  }

  @Test("LineKey: has the bytes of the field, which need not be text")
  func bytes() {
    let line: [UInt8] = [0x61, 0xFF, 0xC3, 0x20, 0x62]
    #expect(KeyField(1).key(of: line[...]).bytes == [0x61, 0xFF, 0xC3])
    #expect(KeyField(1).key(of: line[1...]).bytes == [0xFF, 0xC3])
    #expect(KeyField(0).key(of: [0xFE]) != KeyField(0).key(of: [0xFF]))
  }

  @Test("LineKey: ends before a zero byte, and has at most 65,536 bytes")
  func limit() {
    #expect(LineKey([0x61, 0, 0x62]) == LineKey([0x61]))
    #expect(LineKey(Array(repeating: 0x61, count: 70_000)[...]).bytes.count == 65_536)
  }

  @Test("LineKey: the description escapes the control characters of a terminal")
  func description() {
    #expect(LineKey([0x61, 0x1B, 0x0A]).description == #""a\u{1B}\n""#)
  }

  @Test(
    "Placeholder: each {} of a word is replaced",
    arguments: [
      ("{}", "k"), ("a{}b{}", "akbk"), ("a", "a"), ("", ""), ("{", "{"), ("}{", "}{"), ("{{}}", "{k}"),
      ("{ }", "{ }"),
    ])
  func placeholder(_ word: String, _ expected: String) {
    let bytes = Placeholder.replaced(in: Array(word.utf8)[...], by: Array("k".utf8))
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test("Placeholder: a key that contains {} is inserted unchanged")
  func placeholderInKey() {
    #expect(Placeholder.replaced(in: Array("{}".utf8)[...], by: Array("{}x".utf8)) == Array("{}x".utf8))
  }

  private func key(_ field: KeyField, _ line: String) -> String {
    String(decoding: field.key(of: Array(line.utf8)[...]).bytes, as: UTF8.self)
  }
}

import Testing

/// The code in the documentation. Each snippet is part of a file that is compiled.
struct SnippetTests {
  /// Returns the texts of the files of this target and of the clients that CI compiles, without white space.
  private static func compiled() throws -> [String] {
    let files =
      try Package.files(under: "Tests/SnippetTests", "swift") + Package.files(under: ".ci/clients", "swift")
    return try files.map { Snippet.essence(of: try Package.text($0)) }
  }

  @Test("Documentation: each Swift snippet is part of a compiled file")
  func compiled() throws {
    let compiled = try Self.compiled()
    let snippets = try Package.snippets()
    #expect(snippets.count > 30)
    for snippet in snippets {
      #expect(
        compiled.contains { $0.contains(snippet.essence) },
        "\(snippet.file): the snippet is in no compiled file:\n\(snippet.code)")
    }
  }

  @Test("Documentation: each code block and each code span of an article is closed")
  func delimited() throws {
    for file in try Package.articles() {
      var isBlock = false
      let lines = try Package.text(file).split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        if line.wholeMatch(of: /`{3}[a-z]*/) != nil {
          isBlock.toggle()
        } else if !isBlock {
          #expect(Snippet.hasWholeSpans(line), "\(file):\(index + 1): \(line)")
        }
      }
      #expect(!isBlock, "\(file): the last code block does not end")
    }
  }
}

import Foundation
import SimpleEvents
import TestSupport
import Testing

/// The README: its snippets compile, its programs work, and its types exist.
@Suite struct ReadmeTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The lines of code, without indentation, empty lines and imports.
  private func essence(_ code: some StringProtocol) -> String {
    code.split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
      .joined(separator: "\n")
  }

  @Test("README: every Swift snippet is part of a compiled file")
  func snippets() throws {
    let compiled = essence(
      try text("Tests/SimpleEventsTests/Clients/ReadmeExamples.swift")
        + text("Tests/SimpleObservablesTests/Samples/ReadmeExample.swift"))
    let parts = try text("README.md").components(separatedBy: "```swift\n").dropFirst()
    let snippets = parts.map { $0.components(separatedBy: "```")[0] }
    #expect(snippets.count == 5)
    for snippet in snippets {
      #expect(compiled.contains(essence(snippet)), "the snippet is in no compiled file:\n\(snippet)")
    }
  }

  @MainActor
  @Test("README: a document notifies its window once per turn")
  func document() async {
    let document = Document()
    let window = Window(document)
    document.title = "a"
    document.title = "b"
    document.body = "c"
    #expect(window.caption == "")
    await mainQueueTurn()
    #expect(window.caption == "b")
  }

  @Test("README: a search index is rebuilt after a burst of changes")
  func searchIndex() async {
    let (rebuilds, continuation) = AsyncStream.makeStream(of: Void.self)
    let index = SearchIndex { continuation.yield() }
    for _ in 0..<10 { index.fileDidChange() }
    var iterator = rebuilds.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    withExtendedLifetime(index) {}
  }

  @Test("README: every type in the table of contracts exists")
  func types() throws {
    let readme = try text("README.md")
    let promised: [Any.Type] = [
      ObserverHub<Any>.self, SimpleEvent.self, LazySimpleEvent.self, SimpleEventProxy.self,
      SimpleEventGroupObserver.self, CoalescingCallback.self, CoalescingPolicy.self, MisuseHandler.self,
    ]
    for type in promised {
      let name = "\(type)".prefix { $0 != "<" }
      #expect(readme.contains("| `\(name)` |"))
    }
  }
}

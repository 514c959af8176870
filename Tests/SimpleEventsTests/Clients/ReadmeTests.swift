import Dispatch
import Foundation
import SimpleEvents
import Testing

@Suite struct ReadmeTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Lines without their indentation, and without empty ones and imports.
  private func essence(_ code: some StringProtocol) -> String {
    code.split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
      .joined(separator: "\n")
  }

  @Test func `every snippet of the README is compiled, word for word`() throws {
    let compiled = essence(
      try text("Tests/SimpleEventsTests/Clients/ReadmeExamples.swift")
        + text("Tests/SimpleObservablesTests/Samples/ReadmeExample.swift"))
    let parts = try text("README.md").components(separatedBy: "```swift\n").dropFirst()
    let snippets = parts.map { $0.components(separatedBy: "```")[0] }
    #expect(snippets.count == 5)
    for snippet in snippets {
      #expect(compiled.contains(essence(snippet)), "not compiled:\n\(snippet)")
    }
  }

  @Test @MainActor func `the document tells its window once a turn`() async {
    let document = Document()
    let window = Window(document)
    document.title = "a"
    document.title = "b"
    document.body = "c"
    #expect(window.caption == "")
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    #expect(window.caption == "b")
  }

  @Test func `the index rebuilds when it is quiet`() async {
    let (rebuilds, continuation) = AsyncStream.makeStream(of: Void.self)
    let index = SearchIndex { continuation.yield() }
    for _ in 0..<10 { index.fileDidChange() }
    var iterator = rebuilds.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    withExtendedLifetime(index) {}
  }

  @Test func `every type that the README promises something of exists`() throws {
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

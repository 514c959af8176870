import Dispatch
import Foundation
import SimpleEvents
import SimpleEventsTesting
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
    #expect(snippets.count == 6)
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
    #expect(window.caption == "")
    await mainQueueTurn()
    #expect(window.caption == "b")
  }

  @Test("README: a search index is rebuilt after a burst of changes")
  func searchIndex() async {
    let (rebuilds, continuation) = AsyncStream.makeStream(of: Void.self)
    let index = SearchIndex(on: DispatchQueue(label: "index")) { continuation.yield() }
    for _ in 0..<10 { index.fileDidChange() }
    var iterator = rebuilds.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    withExtendedLifetime(index) {}
  }

  @MainActor
  @Test("README: a collector and a group observer deliver what changed")
  func changes() async {
    let scheduler = TestScheduler()
    let document = Document()
    let settings = Document()
    let log = Log()
    let (changes, observer) = observeChanges(on: scheduler, document, settings, log)
    scheduler.run()
    #expect(log.entries == ["reindex README.md"])
    changes.add(contentsOf: (0...1000).map { "\($0)" })
    scheduler.run()
    document.title = "a"
    await deliveries()
    settings.title = "a"
    await deliveries()
    #expect(log.entries.dropFirst() == ["reindex everything", "render false", "render true"])
    withExtendedLifetime((changes, observer)) {}
  }

  /// Waits for an event on the main queue, and then for the observer that it notifies.
  @MainActor private func deliveries() async {
    await mainQueueTurn()
    await mainQueueTurn()
  }

  @Test("README: a misuse in tested code is recorded as an issue")
  func misuse() {
    let hub = ObserverHub<Log>()
    withKnownIssue {
      recordMisuse { hub.remove(Log()) }
    } when: {
      isDebug
    }
  }

  @Test("README: the types of the core are in the table of types")
  func types() throws {
    let readme = try text("README.md")
    let promised: [Any.Type] = [
      ObserverHub<Any>.self, SimpleEvent.self, LazySimpleEvent.self, SimpleEventProxy.self,
      SimpleEventGroupObserver.self, CoalescingCallback.self, CoalescingCollector<Any>.self,
      CoalescingPolicy.self,
      MisuseHandler.self,
    ]
    for type in promised {
      let name = "\(type)".prefix { $0 != "<" }
      #expect(readme.contains("| `\(name)` |"))
    }
  }
}

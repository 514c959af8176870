import SimpleEvents
import SimpleEventsLoops

/// An actor that follows a model of the main actor, and updates once for any number of changes.
actor Index {
  private let document: Document
  private let refresh = RefreshLoop(label: "index")
  private var words: Set<Substring> = []
  nonisolated let wordCount = SimpleMailbox<Int>(event: LazySimpleEvent())

  init(_ document: Document) { self.document = document }

  /// Runs until its task is cancelled. Changes before it count as well.
  func run() async {
    await refresh.run { await self.update() }
  }

  nonisolated func follow(_ changes: any SimpleEventObservable & Sendable) {
    refresh.observe(changes)
    refresh.request()
  }

  private func update() async {
    words.formUnion(await document.title.split(separator: " "))
    wordCount.replace(words.count)
  }
}

@MainActor
func showIndex() async {
  let document = Document()
  let index = Index(document)
  index.follow(document.didChange)
  let indexing = Task { await index.run() }
  document.title = "many changes"
  while let count = await index.wordCount.next(), count < 2 {}
  indexing.cancel()
  await indexing.value
  print("actor: two words")
}

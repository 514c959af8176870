import SimpleEvents

/// An actor that follows a model of the main actor, and updates once for any number of changes.
actor Index {
  private let document: Document
  private var words: Set<Substring> = []
  nonisolated let wordCount = SimpleMailbox<Int>(event: LazySimpleEvent())

  private lazy var refresh = RefreshLoop(on: .actor(self)) { [weak self] in await self?.update() }

  init(_ document: Document) { self.document = document }

  func follow() {
    refresh.observe(document.didChange)
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
  await index.follow()
  document.title = "many changes"
  while let count = await index.wordCount.next(), count < 2 {}
  print("actor: two words")
}

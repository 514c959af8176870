/// The elements of one key of a collector.
@frozen @usableFromInline struct KeyedElements<Key: Hashable & Sendable, Element>: ElementReceiver {
  @usableFromInline let key: Key
  @usableFromInline let collector: KeyedCollector<Key, Element>

  @inlinable init(of key: Key, in collector: KeyedCollector<Key, Element>) {
    self.key = key
    self.collector = collector
  }

  @usableFromInline var subject: DiagnosticSubject { collector.keys.subject }

  @inlinable func signal(
    if isAdmitted: (borrowing CollectorStore<Element>) -> Bool,
    storing store: (inout CollectorStore<Element>, _ isAccepted: Bool) -> Bool
  ) -> Bool {
    collector.keys.signal(key, if: isAdmitted) { elements, isAccepted in
      if elements.generation == 0 { elements.generation = collector.makeGeneration() }
      return store(&elements, isAccepted)
    }
  }

  @inlinable func withStore<Result>(_ body: (inout CollectorStore<Element>) -> Result) -> Result {
    collector.keys.withPayload(key, body)
  }

  @usableFromInline func withThreads<Result>(_ body: (inout [ThreadIdentity]) -> Result) -> Result {
    collector.combining.withLock(body)
  }

  @usableFromInline func discard(_ elements: some Sequence<Element>) {
    if let onDrop = collector.onDrop { for element in elements { onDrop(key, element) } }
  }
}

internal import Synchronization

/// The state that the elements of all keys of a collector share.
// NB: this is a separate object, because the compiler of Swift 6.3 crashes when it inlines the deinitialiser
// of a collector that stores a lock or an `Atomic`.
@usableFromInline final class CommonElements: Sendable {
  /// The threads that are combining elements.
  let combining: Guarded<[ThreadIdentity]> = Guarded([])
  private let generation: Atomic<Int> = Atomic(0)

  @usableFromInline init() {}

  /// Returns the first generation of a new store, and reserves the following ones for the batches of the
  /// store.
  ///
  /// While the elements of a key are compared or combined, the key may be forgotten and may come back. The
  /// result is then not used for the new store, because no two stores share a generation.
  @usableFromInline func makeGeneration() -> Int {
    // The addition is relaxed, because the numbers only have to differ. The lock orders the accesses to the
    // stores.
    generation.wrappingAdd(1 << 32, ordering: .relaxed).newValue
  }
}

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
      if elements.generation == 0 { elements.generation = collector.common.makeGeneration() }
      return store(&elements, isAccepted)
    }
  }

  @inlinable func withStore<Result>(_ body: (inout CollectorStore<Element>) -> Result) -> Result {
    collector.keys.withPayload(key, body)
  }

  @usableFromInline func withThreads<Result>(_ body: (inout [ThreadIdentity]) -> Result) -> Result {
    collector.common.combining.withLock(body)
  }

  @inlinable func discard(_ elements: some Sequence<Element>) {
    if let onDrop = collector.onDrop { for element in elements { onDrop(key, element) } }
  }
}

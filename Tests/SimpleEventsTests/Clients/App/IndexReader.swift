import SimpleEvents

/// A class that is confined to the queue of the index, without an actor, `Sendable` or other annotations.
final class IndexReader {
  private var token: (any SimpleEventToken)?
  private var seen: Int = 0

  init(_ index: Index, until count: Int, done: @escaping @Sendable () -> Void) {
    index.didChange.addObserver(&token) { [unowned self] _ in
      seen = index.count
      if seen == count { done() }
    }
  }
}

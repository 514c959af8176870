import Dispatch
import SimpleEvents
import Synchronization

/// A model that any thread may change. It notifies on a background queue.
final class Index: Sendable {
  let queue: DispatchQueue = DispatchQueue(label: "index")
  let didChange: LazySimpleEvent
  private let words: Mutex<[String]> = Mutex([])

  init() {
    didChange = LazySimpleEvent(on: queue)
  }

  func add(_ word: String) {
    words.withLock { $0.append(word) }
    didChange.trigger()
  }

  var count: Int { words.withLock { $0.count } }
}

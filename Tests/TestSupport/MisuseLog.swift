package import SimpleEvents
internal import Synchronization

/// Collects the misuses that its handler is given, from any thread.
package final class MisuseLog: Sendable {
  private let list: Mutex<[Misuse]> = Mutex([])

  package init() {}

  package var all: [Misuse] { list.withLock { $0 } }
  package var kinds: [Misuse.Kind] { all.map(\.kind) }
  package var messages: [String] { all.map(\.message) }
  package var handler: MisuseHandler {
    .report { [self] misuse in list.withLock { $0.append(misuse) } }
  }
}

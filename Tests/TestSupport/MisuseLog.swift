package import SimpleEvents

/// Collects the misuses that its handler is given, from any thread.
package final class MisuseLog: Sendable {
  private let list: Guarded<[Misuse]> = Guarded([])

  package init() {}

  package var all: [Misuse] { list.withLock { $0 } }
  package var kinds: [Misuse.Kind] { all.map(\.kind) }
  package var messages: [String] { all.map(\.message) }
  package var handler: MisuseHandler {
    .report { [self] misuse in list.withLock { $0.append(misuse) } }
  }
}

import SimpleEvents

/// Collects the kinds of misuse that a list flags.
final class HubMisuseLog: Sendable {
  private let kinds: Guarded<[Misuse.Kind]> = Guarded([])

  func add(_ kind: Misuse.Kind) {
    kinds.withLock { $0.append(kind) }
  }

  /// Removes and returns the kinds that were added since the last call.
  func takeAll() -> [Misuse.Kind] {
    kinds.withLock { kinds in
      defer { kinds = [] }
      return kinds
    }
  }
}

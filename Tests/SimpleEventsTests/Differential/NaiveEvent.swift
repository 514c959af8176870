/// The contracts E1, E2, E3 and E5 in as little code as possible.
final class NaiveEvent: EventUnderTest {
  private final class Token: TokenUnderTest {
    var block: (() -> Void)?

    init(_ block: @escaping () -> Void) {
      self.block = block
    }

    func end() {
      block = nil
    }

    deinit {
      end()
    }
  }

  /// A weak reference to a token. The token holds the block.
  private struct Entry {
    weak var token: Token?
  }

  private let coalescesNested: Bool
  private var entries: [Entry] = []
  private var depth: Int = 0
  private var cycles: Int = 0
  private var isTriggered: Bool = false

  init(coalescesNested: Bool) {
    self.coalescesNested = coalescesNested
  }

  deinit {
    for entry in entries {
      entry.token?.end()
    }
  }

  func listen(_ block: @escaping () -> Void) -> any TokenUnderTest {
    let token = Token(block)
    entries.append(Entry(token: token))
    return token
  }

  func fire(if condition: Bool) {
    if condition {
      isTriggered = true
      settle()
    }
  }

  func collect(_ body: () throws -> Void) throws {
    depth += 1
    defer {
      depth -= 1
      settle()
    }
    try body()
  }

  private func settle() {
    if coalescesNested && cycles > 0 { return }
    while depth == 0 && isTriggered {
      isTriggered = false
      cycles += 1
      // The loop iterates over the entries that exist now. A token that has ended before its turn has no
      // block.
      for entry in entries {
        entry.token?.block?()
      }
      cycles -= 1
    }
  }
}

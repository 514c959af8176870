import SimpleEvents

/// An event as the contracts say it, in as few words as possible.
final class NaiveEvent: EventUnderTest {
  private final class Listener: ListenerUnderTest {
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

  /// What the event holds of a listener: the token keeps the block, not the event.
  private struct Seat {
    weak var listener: Listener?
  }

  private let coalescesNested: Bool
  private var seats: [Seat] = []
  private var depth: Int = 0
  private var cycles: Int = 0
  private var isTriggered: Bool = false

  init(coalescesNested: Bool) {
    self.coalescesNested = coalescesNested
  }

  deinit {
    for seat in seats {
      seat.listener?.end()
    }
  }

  func listen(_ block: @escaping () -> Void) -> any ListenerUnderTest {
    let listener = Listener(block)
    seats.append(Seat(listener: listener))
    return listener
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
      // Who listens now is asked; who has stopped by its turn is passed over.
      for seat in seats {
        seat.listener?.block?()
      }
      cycles -= 1
    }
  }
}

extension SimpleEvent: EventUnderTest {
  func fire(if condition: Bool) { trigger(if: condition) }

  func collect(_ body: () throws -> Void) throws { try coalescingNotifications(block: body) }

  func listen(_ block: @escaping () -> Void) -> any ListenerUnderTest {
    TokenListener(token: addObserver { _ in block() })
  }
}

private final class TokenListener: ListenerUnderTest {
  private let token: (any SimpleEventToken)?

  init(token: (any SimpleEventToken)?) {
    self.token = token
  }

  func end() {
    token?.remove()
  }
}

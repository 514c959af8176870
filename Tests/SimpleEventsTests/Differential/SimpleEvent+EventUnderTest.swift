import SimpleEvents

extension SimpleEvent: EventUnderTest {
  func fire(if condition: Bool) { trigger(if: condition) }

  func collect(_ body: () throws -> Void) throws { try coalescingNotifications(block: body) }

  func listen(_ block: @escaping () -> Void) -> any TokenUnderTest {
    BlockTokenUnderTest(token: addObserver { _ in block() })
  }
}

private final class BlockTokenUnderTest: TokenUnderTest {
  private let token: (any SimpleEventToken)?

  init(token: (any SimpleEventToken)?) {
    self.token = token
  }

  func end() {
    token?.remove()
  }
}

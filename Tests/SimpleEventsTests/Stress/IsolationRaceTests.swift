#if DEBUG
  import Dispatch
  import SimpleEvents
  import TestSupport
  import Testing

  /// Whether a block runs on its actor is found out while that actor is free to run things elsewhere.
  @Suite(.serialized) struct IsolationRaceTests {
    private actor Home {}

    @Test func `E9: a call outside the actor is flagged every time, though the actor is idle`() {
      let misuses = MisuseLog()
      let queue = DispatchQueue(label: "elsewhere")
      let event = LazySimpleEvent(queue: queue, misuse: misuses.handler)
      let homes: [any Actor] = [Home(), MainActor.shared]
      let tokens = homes.map { home in event.addObserver(isolation: home) { _ in } }
      let rounds = Stress.rounds(50_000)
      for _ in 0..<rounds {
        event.trigger()
        queue.sync {}
      }
      #expect(misuses.kinds.count { $0 == .wrongIsolation } == rounds * homes.count)
      withExtendedLifetime(tokens) {}
    }
  }
#endif

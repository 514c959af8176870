#if DEBUG
  import Dispatch
  import SimpleEvents
  import TestSupport
  import Testing

  /// The isolation check of a block whose actor is idle, so that its executor could run it at any moment.
  @Suite(.serialized) struct IsolationRaceTests {
    private actor Home {}

    @Test("E9: each call outside the actor is flagged, although the actor is idle")
    func flagsEachCall() {
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

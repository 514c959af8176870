#if DEBUG
  import Dispatch
  import SimpleEvents
  import TestSupport
  import Testing

  /// E9: a block is flagged off its actor even while the actor is idle.
  @Suite(.serialized) struct IsolationRaceTests {
    private actor Home {
      private var calls = 0

      func observe(_ event: LazySimpleEvent) -> (any SimpleEventToken)? {
        event.addObserver { _ in self.calls += 1 }
      }
    }

    @Test("E9: each call outside the actor is flagged, although the actor is idle")
    func flagsEachCall() async {
      let misuses = MisuseLog()
      let queue = DispatchQueue(label: "elsewhere")
      let event = LazySimpleEvent(on: queue, misuse: misuses.handler)
      let home = Home()
      let tokens = [await home.observe(event), event.addObserver { @MainActor _ in }]
      let rounds = Stress.rounds(50_000)
      for _ in 0..<rounds {
        event.trigger()
        queue.sync {}
      }
      #expect(misuses.kinds.count { $0 == .wrongIsolation } == rounds * tokens.count)
      withExtendedLifetime(home) {}
    }
  }
#endif

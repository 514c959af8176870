internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// The closures of one object. A closure checks that no lock is held when it is released.
// SAFETY: all fibers run on one thread.
private final class Calls: @unchecked Sendable {
  let latest: LatestCall
  /// The numbers of the closures that have run.
  private(set) var ran: [Int] = []
  private let deliveries: Deliveries = Deliveries()
  private let alive: Counter = Counter()

  init(_ policy: NamedPolicy) {
    latest = LatestCall(on: DispatchQueue(label: "queue"), policy: policy.policy)
  }

  func schedule(_ number: Int) {
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let check = LeakCheckedObject(alive)
    latest.schedule { [unowned self] in
      withExtendedLifetime(check) { deliveries.take { ran.append(number) } }
    }
  }

  /// Checks the state after all deliveries.
  func expectQuiet() {
    expect(!latest.isPending, "C2: nothing stays pending")
    expect(alive.value == 0, "C9: a closure that has run, or was replaced or cancelled, is released")
    expect(Set(ran).count == ran.count, "C1: a closure runs once")
  }
}

/// Two threads schedule closures, and one of the threads cancels.
let latestCallScenarios: [Scenario] = NamedPolicy.all.flatMap { policy in
  [
    Scenario("latest-call-\(policy.name)", "C1 C2 C9 H5") {
      let calls = Calls(policy)
      parallel(
        {
          calls.schedule(1)
          calls.schedule(2)
        },
        { calls.schedule(3) })
      settle()
      calls.expectQuiet()
      expect(calls.ran.filter { $0 < 3 } == calls.ran.filter { $0 < 3 }.sorted(), "C2: closures run in order")
      expect(!policy.isComplete || calls.ran.last != 1, "C2: the newest closure runs")
    },
    Scenario("latest-call-cancel-\(policy.name)", "C1 C2 C7 C9 H5") {
      let calls = Calls(policy)
      parallel(
        { calls.schedule(1) },
        {
          calls.schedule(2)
          calls.latest.cancel()
        })
      settle()
      calls.expectQuiet()
      calls.latest.cancel()
      calls.schedule(3)
      settle()
      calls.expectQuiet()
      expect(calls.ran.last == 3, "C7: a closure that is scheduled after a cancellation runs")
    },
  ]
}

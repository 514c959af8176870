import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Policies that never deliver: one with an infinite interval, and one without edges.
struct ExtremePolicyTests {
  private let scheduler = TestScheduler()

  @Test("C8: an infinite interval never ends, even when a scheduler runs all its entries")
  func infiniteInterval() {
    let recorder = EventRecorder(on: scheduler)
    let callback = CoalescingCallback(on: scheduler, policy: .debounce(.seconds(Int64.max))) {
      recorder.record()
    }
    callback.schedule()
    scheduler.run()
    #expect(recorder.count == 0)
    #expect(callback.isPending, "the signal is accepted, and no timer is armed for it")
    #expect(scheduler.pendingCount == 0)
    #expect(scheduler.now < .distantFuture)
    callback.flush()
    #expect(recorder.count == 1)
  }

  /// The types that take a policy.
  enum Owner: String, CaseIterable {
    case callback = "CoalescingCallback"
    case collector = "CoalescingCollector"
    case event = "LazySimpleEvent"
    case labelledEvent = "\"mine\""
    case proxy = "SimpleEventProxy"
    case groupObserver = "SimpleEventGroupObserver"

    func make(_ policy: CoalescingPolicy, on scheduler: TestScheduler, misuse: MisuseHandler) -> AnyObject {
      switch self {
      case .callback: CoalescingCallback(on: scheduler, policy: policy, misuse: misuse) {}
      case .collector:
        CoalescingCollector<Int>(on: scheduler, policy: policy, keeping: .newest(1), misuse: misuse) { _ in }
      case .event: LazySimpleEvent(on: scheduler, policy: policy, misuse: misuse)
      case .labelledEvent:
        LazySimpleEvent(on: scheduler, policy: policy, label: "mine", misuse: misuse)
      case .proxy: SimpleEventProxy(of: [], on: scheduler, policy: policy, misuse: misuse)
      case .groupObserver:
        SimpleEventGroupObserver(of: [], on: scheduler, policy: policy, misuse: misuse) { _ in }
      }
    }
  }

  @Test("C8: a policy without edges is flagged once, with the name of its owner", arguments: Owner.allCases)
  func policyWithoutEdges(_ owner: Owner) {
    let misuses = MisuseLog()
    _ = owner.make(.audit(.seconds(1)), on: scheduler, misuse: misuses.handler)
    #expect(misuses.kinds == [])
    _ = owner.make(.throttle(.seconds(1), edges: []), on: scheduler, misuse: misuses.handler)
    #expect(misuses.kinds == [.noEdges])
    #expect(misuses.messages.first?.contains(owner.rawValue) == true)
  }
}

import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C2, C7 and E6 for the closure of the latest call.
struct LatestCallTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  /// A closure that records its name, and a canary that records its release.
  private func call(_ name: String) -> @Sendable () -> Void {
    let log = log
    nonisolated(unsafe) let canary = Canary { log.add("\(name) released") }
    return { [scheduler] in
      withExtendedLifetime(canary) { log.add("\(name) at \(scheduler.milliseconds)") }
    }
  }

  @Test("C2: the newest closure runs, once, when the policy delivers")
  func newest() {
    let latest = LatestCall(on: scheduler, policy: .debounce(.milliseconds(10)))
    scheduler.at(0) { [log] in latest.schedule { log.add("a") } }
    scheduler.at(5) { [log, scheduler] in latest.schedule { log.add("b at \(scheduler.milliseconds)") } }
    scheduler.at(40) { [log, scheduler] in latest.schedule { log.add("c at \(scheduler.milliseconds)") } }
    scheduler.run()
    #expect(log.entries == ["b at 15", "c at 50"])
  }

  @Test("C2: a closure runs, and is released when it has run", arguments: Policies.all)
  func released(_ policy: CoalescingPolicy) {
    let latest = LatestCall(on: scheduler, policy: policy)
    latest.schedule(call("a"))
    #expect(latest.isPending && log.entries == [])
    scheduler.run()
    #expect(log.entries.map { $0.prefix(4) } == ["a at", "a re"])
    #expect(!latest.isPending)
  }

  @Test(
    "C9: a closure that is replaced is released during the call that replaces it", arguments: Policies.all)
  func replaced(_ policy: CoalescingPolicy) {
    let latest = LatestCall(on: scheduler, policy: policy)
    latest.schedule(call("a"))
    latest.schedule(call("b"))
    #expect(log.entries == ["a released"])
    latest.schedule(call("c"))
    #expect(log.entries == ["a released", "b released"])
    scheduler.run()
    #expect(log.entries.count == 4 && log.entries[2].hasPrefix("c at"))
  }

  @Test("C9: a closure that a leading-only policy ignores is released immediately")
  func ignored() {
    let latest = LatestCall(on: scheduler, policy: .throttle(.milliseconds(10), edges: .leading))
    latest.schedule(call("a"))
    scheduler.advance()
    latest.schedule(call("b"))
    #expect(log.entries == ["a at 0", "a released", "b released"])
    scheduler.run()
    #expect(log.entries.count == 3)
  }

  @Test("C7: cancel releases the pending closure without a run", arguments: Policies.all)
  func cancel(_ policy: CoalescingPolicy) {
    let latest = LatestCall(on: scheduler, policy: policy)
    latest.cancel()
    latest.schedule(call("a"))
    latest.cancel()
    #expect(log.entries == ["a released"] && !latest.isPending)
    scheduler.run()
    #expect(log.entries == ["a released"])
  }

  @Test("C7: flush runs the pending closure immediately, and does nothing without one")
  func flush() {
    let latest = LatestCall(on: scheduler, policy: .debounce(.milliseconds(10)))
    latest.flush()
    latest.schedule(call("a"))
    latest.flush()
    #expect(log.entries == ["a at 0", "a released"] && !latest.isPending)
    scheduler.run()
    #expect(log.entries.count == 2)
  }

  @Test("C1, C5: a closure may schedule another closure, which runs on the next turn")
  func reentrant() {
    let latest = LatestCall(on: scheduler)
    latest.schedule { [log] in
      latest.schedule { log.add("b") }
      log.add("a")
    }
    scheduler.run()
    #expect(log.entries == ["a", "b"])
  }

  @Test("E6: a deallocation releases the pending closure without a run", arguments: Policies.all)
  func deallocation(_ policy: CoalescingPolicy) {
    do {
      let latest = LatestCall(on: scheduler, policy: policy)
      latest.schedule(call("a"))
    }
    #expect(log.entries == ["a released"])
    scheduler.run()
    #expect(log.entries == ["a released"] && scheduler.pendingCount == 0)
  }

  @Test("Closures of the latest call: a description shows whether a closure is pending")
  func description() {
    let latest = LatestCall(on: scheduler, label: "search")
    #expect("\(latest)" == "LatestCall \"search\"")
    latest.schedule {}
    latest.schedule {}
    #expect("\(latest)" == "LatestCall \"search\", 1 closure pending")
  }

  @Test("W4: the closure of the latest call is a source of its own type")
  func source() {
    let monitor = MonitorLog()
    withCoalescingMonitor(monitor) {
      let latest = LatestCall(on: scheduler, label: "search")
      latest.schedule {}
      latest.schedule {}
      scheduler.run()
    }
    #expect(monitor.records.map(\.signals) == [2])
    #expect(monitor.records.map(\.source.statistics.droppedCount) == [0], "a replaced closure is no loss")
    #expect(monitor.records.map { "\($0.source)" } == ["LatestCall \"search\""])
  }

  @MainActor
  @Test("E9: a closure that is written in main-actor code is isolated to the main actor, and may use it")
  func inheritsActor() {
    let field = SearchField(on: scheduler)
    field.type("a")
    field.type("ab")
    scheduler.run()
    #expect(field.searches == ["ab"])
  }

  @MainActor
  private final class SearchField {
    private(set) var searches: [String] = []
    private let latest: LatestCall

    init(on scheduler: TestScheduler) { latest = LatestCall(on: scheduler, policy: .debounce(.seconds(1))) }

    func type(_ text: String) { latest.schedule { self.searches.append(text) } }
  }
}

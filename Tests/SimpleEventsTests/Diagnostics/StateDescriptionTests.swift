import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// C7: the descriptions of the types that coalesce, in virtual time.
struct StateDescriptionTests {
  private struct Failure: Error {}

  private let scheduler = TestScheduler()
  private let log = MonitorLog()

  private func watched<Object>(_ make: () -> Object) -> Object {
    withCoalescingMonitor(log) { make() }
  }

  @Test("Events: a description has the label, the observers and the state")
  func events() {
    let event = watched { LazySimpleEvent(on: scheduler, policy: .audit(.milliseconds(100)), label: "title") }
    let other = LazySimpleEvent(on: scheduler, label: "plain")
    let tokens = [event.addObserver { _ in }, event.addObserver { _ in }]
    #expect("\(event)" == "LazySimpleEvent \"title\", 2 observers")
    event.trigger()
    other.trigger()
    scheduler.advance(by: .milliseconds(80))
    other.trigger()
    #expect("\(event)" == "LazySimpleEvent \"title\", 2 observers, pending for 80 ms")
    #expect("\(other)" == "LazySimpleEvent \"plain\", 0 observers, pending")
    let simple = SimpleEvent(label: "now")
    #expect("\(simple)" == "SimpleEvent \"now\", 0 observers")
    simple.coalescingNotifications {
      simple.trigger()
      #expect("\(simple)" == "SimpleEvent \"now\", 0 observers, pending")
    }
    withExtendedLifetime(tokens) {}
  }

  @Test("Callbacks: a description distinguishes a delivery in progress from a pending one")
  func callbacks() {
    let reference = Shared<CoalescingCallback?>(nil)
    let seen = Log()
    reference.value = CoalescingCallback(on: scheduler, label: "save") {
      reference.value?.schedule()
      seen.add("\(reference.value!)")
      reference.value?.cancel()
    }
    #expect("\(reference.value!)" == "CoalescingCallback \"save\"")
    reference.value?.schedule()
    #expect("\(reference.value!)" == "CoalescingCallback \"save\", pending")
    scheduler.run()
    #expect(seen.entries == ["CoalescingCallback \"save\", delivering, pending"])
    reference.value = nil
  }

  @Test("Collectors, group observers: a description counts the pending elements")
  func collectors() {
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .newest(5), label: "lines") { _ in }
    #expect("\(collector)" == "CoalescingCollector<Int> \"lines\"")
    collector.add(contentsOf: [1, 2, 3])
    #expect("\(collector)" == "CoalescingCollector<Int> \"lines\", 3 elements pending")
    let events = [SimpleEvent(), SimpleEvent()]
    let group = SimpleEventGroupObserver(of: events, on: scheduler, label: "refresh") { _ in }
    events[0].trigger()
    #expect("\(group)" == "SimpleEventGroupObserver \"refresh\", 2 events, 1 event pending")
    group.remove()
    #expect("\(group)" == "SimpleEventGroupObserver \"refresh\", removed")
  }

  @Test("Loops: a description has the run, the requests and the failures")
  func loops() {
    let loop = watched {
      RefreshLoop(on: scheduler, retry: .constant(.seconds(2)), label: "index") {
        try await Task.sleep(for: .seconds(1), clock: scheduler.clock)
        throw Failure()
      } onError: { _ in
      }
    }
    #expect("\(loop)" == "RefreshLoop \"index\"")
    loop.request()
    scheduler.advance(by: .milliseconds(6500))
    for _ in 0..<3 { loop.request() }
    scheduler.advance(by: .milliseconds(200))
    #expect(
      "\(loop)" == "RefreshLoop \"index\", running for 700 ms, 3 requests pending, failed twice")
    scheduler.advance(by: .milliseconds(800))
    #expect(
      "\(loop)" == "RefreshLoop \"index\", waiting for a retry, 3 requests pending for 1 s, failed 3 times")
    loop.cancel()
    #expect("\(loop)" == "RefreshLoop \"index\"")
  }

  @Test("Hosted loops: a description states that there is no host, and that the loop is closed")
  func hostedLoops() throws {
    let loop = RefreshLoop(on: scheduler, label: "hosted", misuse: .report { _ in })
    loop.request()
    #expect("\(loop)" == "RefreshLoop \"hosted\", without a host, pending")
    let batches = BatchLoop<Int>(
      on: scheduler, keeping: .newest(2), label: "journal", misuse: .report { _ in })
    batches.add(contentsOf: [1, 2, 3])
    #expect("\(batches)" == "BatchLoop<Int> \"journal\", without a host, 2 elements pending")
    loop.close()
    #expect("\(loop)" == "RefreshLoop \"hosted\", closed, without a host, pending")
    try scheduler.run { await loop.stop() }
    #expect("\(loop)" == "RefreshLoop \"hosted\", ended")
  }

  @Test("Mailboxes: a description counts the tasks that wait")
  func mailboxes() throws {
    let box = SimpleMailbox<Int>()
    #expect("\(box)" == "SimpleMailbox<Int>, empty")
    box.replace(1)
    #expect("\(box)" == "SimpleMailbox<Int>, full")
    _ = box.take()
    try scheduler.run {
      let task = Task(executorPreference: scheduler) { await box.next() }
      try await Task.sleep(for: .milliseconds(1), clock: scheduler.clock)
      #expect("\(box)" == "SimpleMailbox<Int>, empty, 1 task waiting")
      box.replace(2)
      _ = await task.value
    }
  }

  @Test("M3: a description does not count a task whose wait was cancelled")
  func mailboxWithCancelledWait() throws {
    let box = SimpleMailbox<Int>()
    try scheduler.run {
      let tasks = (1...3).map { _ in Task(executorPreference: scheduler) { await box.next() } }
      try await Task.sleep(for: .milliseconds(1), clock: scheduler.clock)
      tasks[1].cancel()
      #expect("\(box)" == "SimpleMailbox<Int>, empty, 2 tasks waiting")
      for task in tasks { task.cancel() }
      for task in tasks { _ = await task.value }
    }
  }

  @Test(
    "Policies: a description names the rule and each value that is not the default",
    arguments: [
      (CoalescingPolicy.nextTurn, "next turn"), (.debounce(.milliseconds(200)), "debounce 200 ms"),
      (.debounce(.milliseconds(200), maxWait: .seconds(2)), "debounce 200 ms, at most 2 s"),
      (.debounce(.seconds(1), edges: .leading), "debounce 1 s, leading"),
      (.debounce(.seconds(1), edges: [.leading, .trailing]), "debounce 1 s, leading and trailing"),
      (.throttle(.seconds(1)), "throttle 1 s"),
      (.throttle(.seconds(1), edges: .trailing), "throttle 1 s, trailing"),
      (.audit(.seconds(1)), "audit 1 s"), (.sample(.seconds(1)), "sample 1 s"),
      (.throttle(.seconds(1), edges: []), "never"),
    ])
  func policies(_ policy: CoalescingPolicy, _ description: String) {
    #expect("\(policy)" == description)
  }
}

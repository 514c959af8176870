import SimpleEvents
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

struct CoalescingMonitoringTests {
  /// Records the calls with the labels of the sources.
  private final class Monitor: CoalescingMonitor {
    private let list: Mutex<[String]> = Mutex([])

    var calls: [String] { list.withLock { $0 } }

    func created(_ source: CoalescingSource) { add("created", source) }

    func delivered(_ delivery: CoalescingDelivery) {
      add("delivered \(delivery.signalCount)", delivery.source)
    }

    func discarded(_ source: CoalescingSource, unsent: Int) { add("discarded \(unsent)", source) }

    func ended(_ source: CoalescingSource, unsent: Int) { add("ended \(unsent)", source) }

    private func add(_ call: String, _ source: CoalescingSource) {
      list.withLock { $0.append("\(source.label ?? "-"): \(call)") }
    }
  }

  private struct Failure: Error, Equatable {}

  private let monitor = Monitor()
  private let scheduler = TestScheduler()

  private func makeCallback(_ label: String) -> CoalescingCallback {
    CoalescingCallback(on: scheduler, label: label) { @Sendable in }
  }

  @Test("withCoalescingMonitor: objects of the operation are watched, and its result is returned")
  func operation() {
    let before = makeCallback("before")
    let result = withCoalescingMonitor(monitor) {
      let callback = makeCallback("a")
      callback.schedule()
      callback.schedule()
      before.schedule()
      scheduler.run()
      return 7
    }
    let after = makeCallback("after")
    after.schedule()
    scheduler.run()
    #expect(result == 7)
    #expect(monitor.calls == ["a: created", "a: delivered 2", "a: ended 0"])
  }

  @Test("withCoalescingMonitor: an object is watched until its end, even after the operation")
  func afterOperation() {
    var callback: CoalescingCallback? = withCoalescingMonitor(monitor) { makeCallback("a") }
    callback?.schedule()
    callback?.cancel()
    callback?.schedule()
    callback = nil
    #expect(monitor.calls == ["a: created", "a: discarded 1", "a: ended 1"])
  }

  @Test("withCoalescingMonitor: rethrows the error of the operation with its type")
  func error() {
    do throws(Failure) {
      try withCoalescingMonitor(monitor) { () throws(Failure) in
        _ = makeCallback("a")
        throw Failure()
      }
      Issue.record("no error was thrown")
    } catch {
      #expect(monitor.calls == ["a: created", "a: ended 0"])
    }
  }

  @Test("withCoalescingMonitor: objects that scheduler work creates inside the operation are watched")
  func scheduledWork() {
    scheduler.schedule { _ = makeCallback("work") }
    withCoalescingMonitor(monitor) { scheduler.run() }
    #expect(monitor.calls == ["work: created", "work: ended 0"])
  }

  @Test("withCoalescingMonitor: objects of tasks that inherit from the operation are watched")
  func tasks() async throws {
    let error = await #expect(throws: Failure.self) {
      try await withCoalescingMonitor(monitor) {
        _ = makeCallback("own")
        await Task { _ = makeCallback("task") }.value
        await Task.detached { _ = makeCallback("detached") }.value
        await withTaskGroup { group in
          group.addTask { _ = makeCallback("child") }
        }
        throw Failure()
      }
    }
    #expect(error == Failure())
    #expect(
      monitor.calls == [
        "own: created", "own: ended 0", "task: created", "task: ended 0", "child: created", "child: ended 0",
      ])
  }

  @Test("withCoalescingMonitor: objects of an asynchronous body on a test scheduler are watched")
  func run() throws {
    try withCoalescingMonitor(monitor) {
      try scheduler.run {
        let callback = makeCallback("a")
        callback.schedule()
        try await scheduler.clock.sleep(for: .seconds(1))
      }
    }
    #expect(monitor.calls == ["a: created", "a: delivered 1", "a: ended 0"])
  }

  @Test("withCoalescingMonitor: the monitor of an inner operation replaces that of the outer one")
  func nesting() {
    let inner = Monitor()
    withCoalescingMonitor(monitor) {
      withCoalescingMonitor(inner) { _ = makeCallback("inner") }
      _ = makeCallback("outer")
    }
    #expect(inner.calls == ["inner: created", "inner: ended 0"])
    #expect(monitor.calls == ["outer: created", "outer: ended 0"])
  }

  @Test("withCoalescingMonitor: the drawing of a policy is not watched")
  func drawing() {
    withCoalescingMonitor(monitor) {
      _ = Timeline(events: [.zero], policies: ["debounce": .debounce(.milliseconds(1))])
    }
    #expect(monitor.calls == [])
  }

  @Test("withCoalescingMonitor: objects that the argument expression creates are not watched")
  func expression() {
    var own: [CoalescingCallback] = []
    func makeMonitor() -> Monitor {
      own.append(makeCallback("own"))
      return monitor
    }
    withCoalescingMonitor(monitor) {
      withCoalescingMonitor(makeMonitor()) { _ = makeCallback("a") }
    }
    #expect(own.count == 1)
    #expect(monitor.calls == ["a: created", "a: ended 0"])
  }
}

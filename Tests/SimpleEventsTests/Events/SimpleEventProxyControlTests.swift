import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C7 and E6 for a proxy: `isPending`, `cancel()`, `flush()` and `remove()`.
struct SimpleEventProxyControlTests {
  private let scheduler = TestScheduler()
  private let source = SimpleEvent()
  private let proxy: SimpleEventProxy
  private let recorder: EventRecorder

  init() {
    proxy = SimpleEventProxy(of: source, on: scheduler, policy: .debounce(.milliseconds(10)))
    recorder = EventRecorder(proxy, on: scheduler)
  }

  @Test("C7: a proxy is pending from the trigger of a source to its notification")
  func isPending() {
    #expect(!proxy.isPending)
    source.trigger()
    #expect(proxy.isPending)
    scheduler.run()
    #expect(!proxy.isPending)
    #expect(recorder.milliseconds == [10])
  }

  @Test("C7: cancel drops the pending notification and keeps the proxy's sources")
  func cancel() {
    source.trigger()
    proxy.cancel()
    #expect(!proxy.isPending)
    scheduler.run()
    #expect(recorder.count == 0)
    source.trigger()
    scheduler.run()
    #expect(recorder.count == 1)
  }

  @Test("C7: flush notifies immediately and closes the window")
  func flush() {
    proxy.flush()
    #expect(recorder.count == 0, "nothing was pending")
    source.trigger()
    proxy.flush()
    #expect(recorder.milliseconds == [0])
    scheduler.run()
    #expect(recorder.milliseconds == [0])
  }

  @Test("E6: a removed proxy delivers nothing and no longer observes its sources")
  func remove() {
    source.trigger()
    proxy.remove()
    proxy.remove()
    #expect(!proxy.isPending)
    scheduler.run()
    source.trigger()
    #expect(!proxy.isPending)
    scheduler.run()
    #expect(recorder.count == 0)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("E6: a removed proxy ignores a later trigger, for example of a source that is notifying")
  func triggerAfterRemove() {
    proxy.remove()
    proxy.trigger()
    #expect(!proxy.isPending)
    scheduler.run()
    #expect(recorder.count == 0)
  }

  @Test("E6, N3: the removal of a proxy ends its notifications, even if they are read later")
  func removalEndsNotifications() throws {
    let log = Log()
    try scheduler.run { [scheduler, proxy] in
      let loop = Task {
        for await _ in proxy.notifications { log.add("notification") }
        log.add("end")
      }
      proxy.trigger()
      try await scheduler.clock.sleep(for: .milliseconds(20))
      proxy.remove()
      await loop.value
      for await _ in proxy.notifications { Issue.record("a removed proxy does not notify") }
    }
    #expect(log.entries == ["notification", "end"])
  }

  @Test("E6: an observer of a proxy can remove the proxy")
  func removalByObserver() {
    let token = proxy.addObserver { [proxy, source] _ in
      proxy.remove()
      source.trigger()
    }
    source.trigger()
    scheduler.run()
    #expect(recorder.count == 1)
    #expect(!proxy.isPending)
    token?.remove()
  }
}

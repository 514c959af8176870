import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L5: `finish()` makes a run for a notification that an observed event is sending.
struct ObservedFinishTests {
  private let scheduler = TestScheduler()

  @Test("L5: finish includes a notification that has not reached the loop yet", arguments: [false, true])
  func notificationInProgress(isProxy: Bool) throws {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = RefreshLoop(on: scheduler) {
      try await script.body()
    } onError: { _ in
    }
    let source = LazySimpleEvent(on: scheduler)
    let event = isProxy ? SimpleEventProxy(of: source, on: scheduler) : LazySimpleEvent(on: scheduler)
    // This observer is called before the loop's observer.
    let token = event.addObserver { _ in Task.immediate { await loop.finish() } }
    loop.observe(event)
    event.trigger()
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10"])
    #expect(!loop.isPending)
    withExtendedLifetime((token, source)) {}
  }

  @Test("L5: finish runs nothing if no notification is pending or in progress")
  func nothingPending() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = RefreshLoop(on: scheduler) {
      try await script.body()
    } onError: { _ in
    }
    let event = LazySimpleEvent(on: scheduler)
    loop.observe(event)
    event.trigger()
    scheduler.run()
    Task.immediate { await loop.finish() }
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10"])
    #expect(loop.description == "RefreshLoop, ended")
  }
}

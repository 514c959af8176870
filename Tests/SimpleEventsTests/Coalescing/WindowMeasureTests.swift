import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C6: windows are measured from signals and from the ends of windows. The order of the clock readings and
/// the lateness of timers have no effect.
struct WindowMeasureTests {
  private let scheduler = TestScheduler()
  private let recorder: EventRecorder

  init() {
    recorder = EventRecorder(on: scheduler)
  }

  private func callback(_ policy: CoalescingPolicy, on scheduler: some EventScheduler) -> CoalescingCallback {
    CoalescingCallback(on: scheduler, policy: policy) { [recorder] in recorder.record() }
  }

  /// Returns the deliveries of signals at instants of the clock, all in milliseconds. Each signal has a
  /// reading of the clock. The reading may be earlier than the instant at which the signal arrives.
  private func deliveries(_ policy: CoalescingPolicy, _ signals: [(instant: Int, reading: Int)]) -> [Int] {
    let clock = EarlierClock(scheduler)
    let callback = callback(policy, on: clock)
    for (instant, reading) in signals {
      scheduler.at(instant) { clock.read(.ms(reading)) { callback.schedule() } }
    }
    scheduler.run()
    withExtendedLifetime(callback) {}
    return recorder.milliseconds
  }

  @Test("C6: a reading does not shorten a window if it arrives after a later reading")
  func earlierReading() {
    // The timer first fires at 10 ms, and is then armed for the end of the window.
    #expect(deliveries(.debounce(.milliseconds(10)), [(0, 0), (5, 5), (5, 3)]) == [15])
  }

  @Test("C6: without the trailing edge, a reading does not shorten a window after a later reading")
  func earlierReadingWithoutTrailingEdge() {
    let policy = CoalescingPolicy.debounce(.milliseconds(10), edges: .leading)
    #expect(deliveries(policy, [(0, 0), (8, 8), (8, 6), (17, 17), (40, 40)]) == [0, 40])
  }

  @Test("C6: a reading from before the window does not shorten the window")
  func readingBeforeWindow() {
    let policy = CoalescingPolicy.debounce(.milliseconds(10), edges: [.leading, .trailing])
    #expect(deliveries(policy, [(20, 20), (22, 5), (31, 31)]) == [20, 30, 31])
  }

  /// Expects the deliveries of a policy if no timer fires during a pause, given in milliseconds.
  private func expectTimeline(
    _ drawing: String, by policy: CoalescingPolicy, pause: ClosedRange<Int>, unit: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    TestSupport.expectTimeline(drawing, sourceLocation: sourceLocation) { events in
      events.deliveries(
        by: policy, in: scheduler, on: UnsteadyScheduler.paused(scheduler, pause), unit: .milliseconds(unit))
    }
  }

  @Test("C6: after a late timer the next maxWait instant is a multiple of maxWait after the first signal")
  func maxWaitAfterLateTimer() {
    expectTimeline(
      """
      a---------b---------c---------d---------e---------f---------g---------h--------i
      ------------------------------------------------------------------------------h-i
      """, by: .debounce(.milliseconds(100), maxWait: .milliseconds(100)), pause: 60...390, unit: 5)
  }

  @Test("C6: after a timer late by a multiple of maxWait, the next maxWait instant is one maxWait later")
  func maxWaitAtMissedInstant() {
    // The signal at 400 ms comes before the late timer for the same instant.
    expectTimeline(
      """
      a----b----c----d----e----f----g----h----i----j
      ----------------------------------------i---------j
      """, by: .debounce(.milliseconds(100), maxWait: .milliseconds(100)), pause: 60...400, unit: 10)
  }

  @Test("C6: after a late timer the next window of a throttle begins at the end of the previous window")
  func throttleAfterLateTimer() {
    expectTimeline(
      """
      a----b----------c
      a-------------b-----c
      """, by: .throttle(.milliseconds(10)), pause: 8...14)
  }

  @Test("C6: a throttle whose timer is late by more than a window has no open window")
  func throttleAfterLongPause() {
    expectTimeline(
      """
      a----b-----------------------------------c
      a---------------------------------------bc
      """, by: .throttle(.milliseconds(10)), pause: 8...40)
  }

  @Test("C6: a signal whose reading is older than the last instant is part of the next sample")
  func sampleWithEarlierReading() {
    #expect(deliveries(.sample(.milliseconds(10)), [(35, 35), (41, 25)]) == [40, 50])
  }
}

/// A test scheduler whose clock can be read in advance, as by a thread that reads the clock and is delayed
/// before it signals.
// SAFETY: one thread uses the object at a time.
private final class EarlierClock: EventScheduler, @unchecked Sendable {
  private let base: TestScheduler
  private var reading: EventInstant?

  init(_ base: TestScheduler) { self.base = base }

  /// Calls a body. Inside the body, a reading of the clock returns a given instant.
  func read(_ instant: EventInstant, _ body: () -> Void) {
    reading = instant
    body()
    reading = nil
  }

  var now: EventInstant { reading ?? base.now }
  var isCurrent: Bool { base.isCurrent }

  func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    base.schedule(at: deadline, tolerance: tolerance, work)
  }
}

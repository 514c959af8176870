import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L1, L2, L6: the starts and ends of runs in each mode, under each policy.
struct RefreshTraceTests {
  /// The instants of the requests in milliseconds. No request is at the end of a window.
  private static let requests: [Int] = [0, 3, 14, 17, 31, 62, 63]

  /// The runs. None ends at the instant of a request or of a delivery.
  private static let runs: [RefreshScript.Run] = [
    RefreshScript.Run(microseconds: 5001), RefreshScript.Run(microseconds: 12_001, heedsCancellation: false),
    RefreshScript.Run(microseconds: 1, fails: true), RefreshScript.Run(microseconds: 25_001),
  ]

  private func loop(
    _ script: RefreshScript, on scheduler: TestScheduler, _ policy: CoalescingPolicy,
    _ whenBusy: RefreshLoop.WhenBusy, _ retry: Backoff
  ) -> RefreshLoop {
    RefreshLoop(on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry) {
      try await script.body()
    } onError: { error in
      script.add("\(error)")
    }
  }

  /// Returns the record of a loop in time that the test advances.
  private func advanced(
    _ policy: CoalescingPolicy, _ whenBusy: RefreshLoop.WhenBusy, _ retry: Backoff = .never
  ) -> RefreshScript {
    let scheduler = TestScheduler()
    let script = RefreshScript(scheduler, Self.runs)
    let loop = loop(script, on: scheduler, policy, whenBusy, retry)
    for instant in Self.requests { scheduler.at(instant) { loop.request() } }
    scheduler.run()
    return script
  }

  /// Returns the record of a loop inside a run of an asynchronous body.
  private func run(
    _ policy: CoalescingPolicy, _ whenBusy: RefreshLoop.WhenBusy, _ retry: Backoff = .never
  ) throws -> RefreshScript {
    let scheduler = TestScheduler()
    return try scheduler.run {
      let script = RefreshScript(scheduler, Self.runs)
      let loop = loop(script, on: scheduler, policy, whenBusy, retry)
      for instant in Self.requests {
        try await scheduler.clock.sleep(until: .ms(instant))
        loop.request()
      }
      await loop.settle()
      await loop.stop()
      return script
    }
  }

  /// Returns the record of a hosted loop.
  private func hosted(
    _ policy: CoalescingPolicy, _ whenBusy: RefreshLoop.WhenBusy, _ retry: Backoff = .never
  ) throws -> RefreshScript {
    let scheduler = TestScheduler()
    return try scheduler.run {
      let script = RefreshScript(scheduler, Self.runs)
      let loop = RefreshLoop(on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry)
      let host = Task {
        await loop.run {
          try await script.body()
        } onError: { error in
          script.add("\(error)")
        }
      }
      for instant in Self.requests {
        try await scheduler.clock.sleep(until: .ms(instant))
        loop.request()
      }
      await loop.settle()
      await loop.stop()
      await host.value
      return script
    }
  }

  @Test(
    "L6, L7, L8: an owned and a hosted loop have the same record, with a retry and without",
    arguments: Policies.all, RefreshLoop.WhenBusy.modes)
  func sameCourseHosted(_ policy: CoalescingPolicy, _ whenBusy: RefreshLoop.WhenBusy) throws {
    for retry in [Backoff.never, .constant(.microseconds(9003))] {
      let script = advanced(policy, whenBusy, retry)
      #expect(script.overlaps == 0)
      #expect(script.count > 1)
      for _ in 0..<Stress.rounds(75) {
        #expect(try hosted(policy, whenBusy, retry).entries == script.entries)
        #expect(try run(policy, whenBusy, retry).entries == script.entries)
      }
    }
  }

  @Test(
    "L6: a loop gives the same record each time, under `advance` and under `run`",
    arguments: Policies.all,
    RefreshLoop.WhenBusy.modes)
  func sameCourse(_ policy: CoalescingPolicy, _ whenBusy: RefreshLoop.WhenBusy) throws {
    let script = advanced(policy, whenBusy)
    #expect(script.overlaps == 0)
    #expect(script.count > 1)
    for _ in 0..<Stress.rounds(75) {
      #expect(advanced(policy, whenBusy).entries == script.entries)
      #expect(try run(policy, whenBusy).entries == script.entries)
    }
  }

  @Test(
    "L2: a run starts after each request that the policy delivers",
    arguments: Policies.all.filter { $0.edges.contains(.trailing) })
  func noRequestIsLost(_ policy: CoalescingPolicy) {
    for whenBusy in [RefreshLoop.WhenBusy.rerun, .restart] {
      let script = advanced(policy, whenBusy)
      let lastStart = script.entries.last { $0.hasPrefix("start") }?.dropFirst(6).prefix { $0 != "+" }
      #expect(Int(lastStart ?? "") ?? 0 >= Self.requests.last!, "\(whenBusy): \(script.entries)")
    }
  }
}

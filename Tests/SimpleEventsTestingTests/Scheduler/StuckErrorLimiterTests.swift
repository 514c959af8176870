import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// S4: in a debug build, the error of a run that does not end names the rate limiters for which tasks wait.
@Suite(.enabled(if: isDebug)) struct StuckErrorLimiterTests {
  @Test("S4, R3: a limiter for which a task waits is named, and is a likely cause on another scheduler")
  func limiters() throws {
    let scheduler = TestScheduler()
    let line: UInt = #line + 1
    let other = RateLimiter(every: .seconds(1), on: TestScheduler(), label: "other")
    let own = RateLimiter(every: .nanoseconds(Int64.max - 1), on: scheduler, label: "own")
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        try await own.acquire()
        try await scheduler.clock.sleep(for: .milliseconds(1))
        async let first: Void = other.acquire()
        async let second: Void = other.acquire()
        async let third: Void = other.acquire()
        async let fourth: Void = own.acquire()
        async let fifth: Void = scheduler.clock.sleep(until: .distantFuture)
        _ = try await (first, second, third, fourth, fifth)
      }
    }
    let pending = try #require(error?.pending)
    #expect(pending.map(\.label) == ["other", "other"])
    #expect(pending.allSatisfy { $0.kind == .wait && $0.type == "RateLimiter" && $0.site?.line == line })
    let description = try #require(pending.first?.description)
    #expect(description.hasPrefix("a task waits in acquire() of RateLimiter \"other\" (created at "))
    #expect(description.contains(":\(line)) on another TestScheduler (created at "))
    let causes = error?.likelyCauses.filter { $0.contains("pass the test scheduler to this object") } ?? []
    #expect(causes.count == 1)
    #expect(causes.first?.hasPrefix("RateLimiter \"other\" (created at ") == true)
  }
}

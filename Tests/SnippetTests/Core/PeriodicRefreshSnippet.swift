import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import Testing

actor ExchangeRates {
  private let loop: RefreshLoop
  private let clock: SchedulerClock
  private let load: @Sendable () async throws -> Void

  init(on scheduler: some EventScheduler = .main, load: @escaping @Sendable () async throws -> Void) {
    clock = SchedulerClock(scheduler)
    self.load = load
    loop = RefreshLoop(
      on: scheduler, retry: .exponential(initial: .seconds(1)).maximum(.seconds(30)), label: "rates")
  }

  nonisolated func currencyDidChange() { loop.request() }

  func run() async {
    async let _ = requestEveryMinute()  // cancelled when this function returns
    await loop.run {
      try await self.load()
    } onError: { error in
      print("The rates are out of date: \(error)")
    }
  }

  nonisolated func finish() async { await loop.finish() }

  private nonisolated func requestEveryMinute() async {
    repeat { loop.request() } while (try? await clock.sleep(for: .seconds(60))) != nil
  }
}

struct PeriodicRefreshSnippet {
  private struct ServiceIsDown: Error {}

  @Test("Documentation: rates are loaded each minute and after a change, with retries, until the end")
  func rates() throws {
    let scheduler = TestScheduler()
    let loads = EventRecorder(on: scheduler)
    let rates = ExchangeRates(on: scheduler) {
      loads.record()
      if loads.count == 2 { throw ServiceIsDown() }
    }
    try scheduler.run {
      async let running: Void = rates.run()
      try await scheduler.clock.sleep(for: .seconds(90))
      rates.currencyDidChange()
      try await scheduler.clock.sleep(for: .seconds(40))
      await rates.finish()
      await running
    }
    #expect(loads.times == [.zero, .seconds(60), .seconds(61), .seconds(90), .seconds(120)])
  }
}

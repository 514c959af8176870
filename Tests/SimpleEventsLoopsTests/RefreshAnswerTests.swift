import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L10: requests whose callers wait for an answer.
struct RefreshAnswerTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()

  private func loop(
    _ script: RefreshScript, _ policy: CoalescingPolicy = .nextTurn, whenBusy: RefreshLoop.WhenBusy = .rerun,
    retry: Backoff = .never
  ) -> RefreshLoop {
    script.makeLoop(policy, whenBusy: whenBusy, retry: retry, misuse: misuses.handler)
  }

  /// Starts a caller at an instant. The caller logs the instant and the kind of its answer.
  @discardableResult private func call(
    _ loop: RefreshLoop, at milliseconds: Int = 0, _ script: RefreshScript, _ name: String = "answer"
  ) -> Caller {
    Caller(script.add, on: scheduler, at: milliseconds, answer: name, error: name) {
      try await loop.refresh()
    }
  }

  @Test("L10: the run that begins after a request answers it", arguments: RefreshLoop.WhenBusy.modes)
  func succeeds(_ whenBusy: RefreshLoop.WhenBusy) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .debounce(.milliseconds(20)), whenBusy: whenBusy)
    call(loop, script)
    scheduler.run()
    #expect(script.entries == ["start 20", "end 30", "answer 30"])
  }

  @Test("L10: with `.rerun`, a request during a run is answered by the next run")
  func rerun() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    call(loop, script, "first")
    call(loop, at: 5, script, "second")
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "start 10", "first 10", "end 20", "second 20"])
  }

  @Test("L10: with `.ignore`, fifty callers cause one run and have one answer", arguments: [false, true])
  func singleFlight(_ fails: Bool) {
    let script = RefreshScript(scheduler, [fails ? .failing(10) : .ms(10)])
    let loop = loop(script, whenBusy: .ignore)
    for number in 0..<50 { call(loop, at: number % 10, script, "\(number)") }
    scheduler.run()
    let answers = script.entries.filter { $0.hasSuffix(fails ? ": Failure() 10" : " 10") }
    #expect(script.count == 1)
    #expect(answers.count == (fails ? 50 : 51))
    #expect(!loop.isPending)
  }

  @Test("L10: with `.restart`, the run that replaces a cancelled run answers the requests of both")
  func restart() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, whenBusy: .restart)
    call(loop, script, "first")
    call(loop, at: 5, script, "second")
    scheduler.run()
    #expect(
      script.entries == ["start 0", "cancelled 5", "start 5", "end 15", "first 15", "second 15"])
  }

  @Test("L10: a run that succeeds despite its cancellation answers its requests")
  func stubborn() {
    let script = RefreshScript(scheduler, [.stubborn(10)])
    let loop = loop(script)
    call(loop, script)
    scheduler.at(5) { loop.cancelRun() }
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "answer 10"])
  }

  @Test("L10: a request that a leading-only policy ignores is answered by the run of its window")
  func leadingOnly() {
    let script = RefreshScript(scheduler, [.ms(10), .failing(10)])
    let loop = loop(script, .debounce(.milliseconds(100), edges: .leading))
    for (instant, name) in [(0, "first"), (5, "during"), (50, "after")] {
      call(loop, at: instant, script, name)
    }
    for (instant, name) in [(300, "failed"), (305, "during"), (350, "after")] {
      call(loop, at: instant, script, name)
    }
    scheduler.run()
    #expect(
      script.entries == [
        "start 0", "end 10", "first 10", "during 10", "after 50",
        "start 300", "fail 310", "failed: Failure() 310", "during: Failure() 310", "after: Failure() 350",
      ])
  }

  @Test("L10: an ignored request is answered by its window's run, even if that follows a longer run")
  func leadingOnlyDuringLongRun() {
    let script = RefreshScript(scheduler, [.ms(200), .ms(10)])
    let loop = loop(script, .debounce(.milliseconds(50), edges: .leading))
    call(loop, script, "first")
    call(loop, at: 100, script, "second")
    call(loop, at: 110, script, "ignored")
    scheduler.run()
    #expect(
      script.entries == [
        "start 0", "end 200", "start 200", "first 200", "end 210", "second 210", "ignored 210",
      ])
  }

  @Test("L10: requests are answered by the attempt that succeeds")
  func retry() {
    let script = RefreshScript(scheduler, [.failing(10), .failing(10), .ms(10)])
    let loop = loop(script, retry: .constant(.milliseconds(100)))
    call(loop, script, "first")
    call(loop, at: 50, script, "second")
    scheduler.run()
    #expect(
      script.entries == [
        "start 0", "fail 10", "start 110", "fail 120", "start 220", "end 230", "first 230", "second 230",
      ])
  }

  @Test("L10: the error of the last attempt is thrown, and the next run answers a request during the attempt")
  func lastAttempt() {
    let script = RefreshScript(scheduler, [.failing(10), .failing(10), .ms(10)])
    let backoff = Backoff.custom { failures, _ in failures < 2 ? .milliseconds(100) : nil }
    let loop = loop(script, retry: backoff)
    call(loop, script, "first")
    call(loop, at: 115, script, "second")
    scheduler.run()
    #expect(
      script.entries == [
        "start 0", "fail 10", "start 110", "fail 120", "start 120", "first: Failure() 120", "end 130",
        "second 130",
      ])
  }
}

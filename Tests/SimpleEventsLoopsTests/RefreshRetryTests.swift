import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L5 and L8: runs after errors, in virtual time.
struct RefreshRetryTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()

  private func loop(
    _ script: RefreshScript, _ policy: CoalescingPolicy = .nextTurn,
    retry: Backoff = .constant(.milliseconds(100))
  ) -> RefreshLoop {
    RefreshLoop(on: scheduler, policy: policy, retry: retry, misuse: misuses.handler) {
      try await script.body()
    } onError: { _ in
    }
  }

  @Test("L8: waits grow by the factor up to the maximum, and a success resets them")
  func exponential() {
    let runs: [RefreshScript.Run] = [
      .failing(1), .failing(1), .failing(1), .failing(1), .ms(1), .failing(1), .ms(1),
    ]
    let script = RefreshScript(scheduler, runs)
    let loop = loop(script, retry: .exponential(initial: .milliseconds(10)).maximum(.milliseconds(30)))
    loop.request()
    scheduler.run()
    loop.request()
    scheduler.run()
    #expect(
      script.entries.filter { $0.hasPrefix("start") } == [
        "start 0", "start 11", "start 32", "start 63", "start 94", "start 95", "start 106",
      ])
  }

  @Test("C11, L8: only failures that were retried without a wait are counted", arguments: [true, false])
  func unwaited(_ waitsOnce: Bool) {
    let limit = 10_000
    let runs = Shared(0)
    let loop = RefreshLoop(
      on: scheduler,
      retry: .custom { failures, _ in (failures == limit) == waitsOnce ? .milliseconds(1) : .zero },
      misuse: misuses.handler
    ) {
      runs.value += 1
      if runs.value <= (waitsOnce ? 2 * limit + 1 : limit) { throw RefreshScript.Failure() }
    } onError: { _ in
    }
    loop.request()
    scheduler.run()
    #expect(misuses.kinds == (waitsOnce && isDebug ? [.feedback] : []))
  }

  @Test("L8: requests during a wait join the retry", arguments: Policies.all)
  func joins(_ policy: CoalescingPolicy) {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(script, policy, retry: .constant(.seconds(10)))
    loop.request()
    loop.flush()
    scheduler.at(15) { loop.request() }
    scheduler.at(1000) { loop.request() }
    // The policy would deliver this request after the wait.
    scheduler.at(10_009) { loop.request() }
    scheduler.advance(toMilliseconds: 20_000)
    #expect(script.entries == ["start 0", "fail 10", "start 10010", "end 10020"])
  }

  @Test(
    "L4, L8: a cancelled run's own error is not retried, and ends a host without onError",
    arguments: [Backoff.never, .constant(.milliseconds(10))].indices, ["cancelRun", "restart", "stop", "end"])
  func cancelledRunFails(_ index: Int, _ cancellation: String) {
    let retry = [Backoff.never, .constant(.milliseconds(10))][index]
    let fails = RefreshScript.Run(microseconds: 10_000, heedsCancellation: false, fails: true)
    let script = RefreshScript(scheduler, [fails, .ms(1)])
    let loop = RefreshLoop(on: scheduler, whenBusy: .restart, retry: retry, misuse: misuses.handler)
    Task(executorPreference: scheduler) {
      do {
        try await loop.run { try await script.body() }
        script.add("left")
      } catch {
        script.add("left by \(error)")
      }
    }
    loop.request()
    scheduler.at(4) {
      switch cancellation {
      case "cancelRun": loop.cancelRun()
      case "restart": loop.request()
      case "stop": Task(executorPreference: scheduler) { await loop.stop(cancelling: true) }
      default: Task(executorPreference: scheduler) { await loop.stop() }
      }
    }
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 10", "left by Failure() 10"])
    #expect(loop.isPending == (cancellation == "restart"))
    loop.cancel()
  }

  @Test("L8: flush starts the retry now, and cancel drops it")
  func flushAndCancel() {
    let script = RefreshScript(scheduler, [.failing(10), .failing(10), .ms(10)])
    let loop = loop(script)
    loop.request()
    scheduler.at(20) { loop.flush() }
    scheduler.at(40) {
      #expect(loop.isPending)
      loop.cancel()
      #expect(!loop.isPending)
    }
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 10", "start 20", "fail 30"])
    #expect(scheduler.now == .init(nanoseconds: 40_000_000))
  }

  @Test("L5, L8: finish makes one last attempt immediately")
  func finish() {
    let script = RefreshScript(scheduler, [.failing(10)])
    let loop = loop(script)
    loop.request()
    scheduler.at(20) {
      Task(executorPreference: scheduler) {
        await loop.finish()
        script.add("finished")
      }
    }
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 10", "start 20", "fail 30", "finished 30"])
  }

  @Test("L8: a custom rule receives the number of failures and the error, and gives up with nil")
  func custom() {
    let script = RefreshScript(scheduler, [.failing(1)])
    let loop = loop(
      script, retry: .custom { $1 is RefreshScript.Failure && $0 < 3 ? .milliseconds(5 * $0) : nil })
    loop.request()
    scheduler.run()
    #expect(script.entries.filter { $0.hasPrefix("start") } == ["start 0", "start 6", "start 17"])
    loop.request()
    scheduler.advance(by: .milliseconds(1))
    #expect(script.entries.last == "fail 19" && loop.isPending)
  }

  @Test("L4, L8: a cancelled run is not retried")
  func cancelledRun() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    loop.request()
    scheduler.at(4) { loop.cancelRun() }
    scheduler.run()
    #expect(script.entries == ["start 0", "cancelled 4"])
    #expect(!loop.isPending)
  }

  @Test("L8: a CancellationError that a run throws without being cancelled is retried")
  func ownCancellationError() {
    let log = Log()
    let loop = RefreshLoop(on: scheduler, retry: .constant(.milliseconds(5))) {
      log.add("run")
      if log.entries.count < 2 { throw CancellationError() }
    } onError: { error in
      log.add("\(error)")
    }
    loop.request()
    scheduler.run()
    #expect(log.entries == ["run", "CancellationError()", "run"])
  }

  @Test("L8: settle waits for retries, and returns whether the loop has settled")
  func settle() {
    let script = RefreshScript(scheduler, [.failing(10), .failing(10), .ms(10)])
    let loop = loop(script)
    loop.request()
    let cancelled = Task(executorPreference: scheduler) {
      let hasSettled = await loop.settle()
      script.add("\(hasSettled)")
    }
    scheduler.at(50) { cancelled.cancel() }
    let task = Task(executorPreference: scheduler) {
      let hasSettled = await loop.settle()
      script.add("\(hasSettled)")
    }
    scheduler.run()
    #expect(
      script.entries == [
        "start 0", "fail 10", "false 50", "start 110", "fail 120", "start 220", "end 230", "true 230",
      ])
    withExtendedLifetime(task) {}
  }

  @Test("L5: finish in a cancelled task makes the pending run")
  func finishInCancelledTask() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .debounce(.seconds(5)))
    let task = Task(executorPreference: scheduler) {
      loop.request()
      await loop.finish()
      script.add("finished")
    }
    task.cancel()
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "finished 10"])
  }

  @Test("L5: finish includes a notification that is pending at an observed event")
  func finishEvent() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    let event = LazySimpleEvent(on: scheduler, policy: .debounce(.seconds(5)))
    loop.observe(event)
    scheduler.at(3) {
      event.trigger()
      Task(executorPreference: scheduler) {
        await loop.finish()
        script.add("finished")
      }
    }
    scheduler.run()
    #expect(script.entries == ["start 3", "end 13", "finished 13"])
  }

  @Test("L5: stop(cancelling:) cancels the run in progress and waits for its end")
  func stopCancelling() {
    let script = RefreshScript(scheduler, [.ms(900)])
    let loop = loop(script)
    loop.request()
    scheduler.at(5) {
      Task(executorPreference: scheduler) {
        loop.request()
        await loop.stop(cancelling: true)
        script.add("stopped")
      }
    }
    scheduler.run()
    #expect(script.entries == ["start 0", "cancelled 5", "stopped 5"])
  }

  @Test("L8: a negative wait counts as zero, and a factor that is not a number is flagged and means one")
  func badInput() {
    let script = RefreshScript(scheduler, [.failing(1), .failing(1), .ms(1)])
    let loop = loop(script, retry: .exponential(factor: .nan, initial: .seconds(1)))
    #expect(misuses.kinds == [.notANumber])
    loop.request()
    scheduler.run()
    #expect(script.entries.last == "end 2003")
    let negative = RefreshScript(scheduler, [.failing(1), .ms(1)])
    let other = self.loop(negative, retry: .constant(.seconds(-5)))
    other.request()
    scheduler.run()
    #expect(negative.entries.last == "end 2005")
  }

  @Test("L8: huge waits saturate, and flush ends them")
  func hugeWait() {
    let script = RefreshScript(scheduler, [.failing(1), .ms(1)])
    let loop = loop(script, retry: .exponential(factor: 1e300, initial: .seconds(Int64.max)))
    loop.request()
    scheduler.advance(by: .seconds(1_000_000))
    #expect(script.count == 1 && loop.isPending)
    loop.flush()
    scheduler.advance(by: .seconds(1))
    #expect(script.count == 2 && !loop.isPending)
  }

  @Test("L8: full jitter takes each wait from a generator that the test passes, between zero and the wait")
  func jitter() {
    func waits(seed: UInt64) -> [Duration?] {
      let backoff = Backoff.constant(.milliseconds(100)).fullJitter(using: SeededGenerator(seed: seed))
      return (1...100).map { backoff.delay(after: $0, RefreshScript.Failure()) }
    }
    #expect(waits(seed: 1) == waits(seed: 1))
    #expect(waits(seed: 1) != waits(seed: 2))
    #expect(waits(seed: 3).allSatisfy { $0! >= .zero && $0! <= .milliseconds(100) })
    #expect(Set(waits(seed: 3)).count > 90)
  }

  @Test("L8: full jitter of a negative, zero or endless wait stays between zero and the wait")
  func jitterOfBadInput() {
    for delay in [Duration.seconds(-1), .zero, .seconds(Int64.max), .seconds(Int64.min)] {
      let backoff = Backoff.constant(delay).fullJitter(using: SeededGenerator(seed: 1))
      let wait = backoff.delay(after: 1, RefreshScript.Failure())
      #expect(wait.map { $0 >= .zero && $0 <= max(delay, .zero) } == true, "\(delay)")
    }
    let factors = [-1, 0, Double.infinity, -.infinity, .nan]
    for factor in factors {
      let backoff = Backoff.exponential(factor: factor, initial: .seconds(1))
      let waits = (1...3).map { backoff.delay(after: $0, RefreshScript.Failure()) }
      #expect(waits.allSatisfy { $0! >= .zero }, "\(factor): \(waits)")
    }
  }
}

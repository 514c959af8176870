import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L5 and L9: the ways in which a batch loop ends.
struct BatchEndTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()

  private func loop(
    _ script: RefreshScript, _ policy: CoalescingPolicy = .nextTurn, retry: Backoff = .never
  ) -> BatchLoop<Int> {
    BatchLoop(on: scheduler, policy: policy, keeping: .unlimited, retry: retry, misuse: misuses.handler) {
      try await script.body($0)
    } onError: { error, batch in
      script.add("\(error) of \(RefreshScript.format(batch))")
    }
  }

  /// Starts a task at an instant. The task logs the instant at which an operation returns.
  private func wait(
    _ script: RefreshScript, _ name: String, at instant: Int, isCancelled: Bool = false,
    _ operation: @escaping @Sendable () async -> Void
  ) {
    scheduler.at(instant) {
      let task = Task(executorPreference: scheduler) {
        await operation()
        script.add(name)
      }
      if isCancelled { task.cancel() }
    }
  }

  @Test("L5: finish saves the queued elements, also in a cancelled task", arguments: Policies.all)
  func finish(_ policy: CoalescingPolicy) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, policy)
    scheduler.at(0) { loop.add(contentsOf: [1, 2]) }
    wait(script, "finished", at: 0, isCancelled: true) { await loop.finish() }
    scheduler.at(5) { loop.add(3) }
    scheduler.run()
    #expect(script.entries == ["[1, 2] 0", "end 10", "finished 10"])
    #expect(!loop.isPending)
  }

  @Test("L5: finish waits for the run in progress, and saves the elements that came before it")
  func finishDuringRun() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .throttle(.milliseconds(100)))
    scheduler.at(0) { loop.add(1) }
    scheduler.at(4) { loop.add(2) }
    wait(script, "finished", at: 5) { await loop.finish() }
    scheduler.at(6) { loop.add(3) }
    scheduler.run()
    #expect(script.entries == ["[1] 0", "end 10", "[2]-1 10", "end 20", "finished 20"])
  }

  @Test("L5, L8: finish makes one last attempt, and its error goes to onError")
  func finishRetry() {
    let script = RefreshScript(scheduler, [.failing(10)])
    let loop = loop(script, retry: .constant(.seconds(1)))
    scheduler.at(0) { loop.add(1) }
    scheduler.at(15) { loop.add(2) }
    wait(script, "finished", at: 20) { await loop.finish() }
    scheduler.run()
    #expect(
      script.entries == [
        "[1] 0", "fail 10", "Failure() of [1] 10", "[1, 2] 20", "fail 30", "Failure() of [1, 2] 30",
        "finished 30",
      ])
    #expect(!loop.isPending)
  }

  @Test("L5, L8: a run that fails during finish is attempted once more, before newer elements")
  func finishDuringFailure() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(script, retry: .constant(.seconds(1)))
    scheduler.at(0) { loop.add(1) }
    scheduler.at(4) { loop.add(2) }
    wait(script, "finished", at: 5) { await loop.finish() }
    scheduler.run()
    #expect(
      script.entries == [
        "[1] 0", "fail 10", "Failure() of [1] 10", "[1, 2] 10", "end 20", "finished 20",
      ])
  }

  @Test("L9: stop discards the queued elements, and the batch of the run in progress is not retried")
  func stop() {
    let script = RefreshScript(scheduler, [.failing(10)])
    let loop = loop(script, retry: .constant(.milliseconds(5)))
    scheduler.at(0) { loop.add(1) }
    scheduler.at(3) { loop.add(2) }
    wait(script, "stopped", at: 4) { await loop.stop() }
    scheduler.at(5) {
      #expect(!loop.isPending)
      loop.add(3)
      #expect(!loop.isPending)
    }
    scheduler.run()
    #expect(script.entries == ["[1] 0", "fail 10", "Failure() of [1] 10", "stopped 10"])
    #expect(!loop.isPending && scheduler.pendingCount == 0)
  }

  @Test("L9: stop(cancelling:) cancels the run in progress, and its batch is discarded")
  func stopCancelling() {
    let script = RefreshScript(scheduler, [.ms(900)])
    let loop = loop(script, retry: .constant(.milliseconds(5)))
    scheduler.at(0) { loop.add(1) }
    wait(script, "stopped", at: 4) { await loop.stop(cancelling: true) }
    scheduler.run()
    #expect(script.entries == ["[1] 0", "cancelled 4", "stopped 4"])
    #expect(!loop.isPending)
  }

  @Test("L9: cancelRun drops only the batch of the run in progress")
  func cancelRun() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, retry: .constant(.milliseconds(5)))
    scheduler.at(0) { loop.add(1) }
    scheduler.at(2) { loop.add(2) }
    scheduler.at(4) { loop.cancelRun() }
    scheduler.run()
    #expect(script.entries == ["[1] 0", "cancelled 4", "[2] 4", "end 14"])
    #expect(!loop.isPending)
  }

  @Test("L9: the batch of a cancelled run that ignores its cancellation is saved, or its error is reported")
  func stubborn() {
    let fails = RefreshScript.Run(microseconds: 10_000, heedsCancellation: false, fails: true)
    let script = RefreshScript(scheduler, [.stubborn(10), fails, .ms(1)])
    let loop = loop(script, retry: .constant(.milliseconds(5)))
    scheduler.at(0) { loop.add(1) }
    scheduler.at(4) {
      loop.cancelRun()
      loop.add(2)
    }
    scheduler.at(14) { loop.cancelRun() }
    scheduler.at(40) { loop.add(3) }
    scheduler.run()
    #expect(
      script.entries == [
        "[1] 0", "end 10", "[2] 10", "fail 20", "Failure() of [2] 20", "[3] 40", "end 41",
      ])
    #expect(script.overlaps == 0)
  }

  @Test("L5: settle waits for batches and retries, and returns whether the loop has settled")
  func settle() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(script, retry: .constant(.milliseconds(100)))
    scheduler.at(0) { loop.add(1) }
    wait(script, "settled", at: 0) {
      let isSettled = await loop.settle()
      #expect(isSettled)
    }
    wait(script, "cancelled", at: 3, isCancelled: true) {
      let isSettled = await loop.settle()
      #expect(!isSettled)
    }
    scheduler.run()
    #expect(
      script.entries == [
        "[1] 0", "cancelled 3", "fail 10", "Failure() of [1] 10", "[1] 110", "end 120", "settled 120",
      ])
  }

  @Test("L5: a deallocated loop discards the queued elements, and its run continues")
  func deallocation() {
    let script = RefreshScript(scheduler, [.failing(10)])
    var loop: BatchLoop<Int>? = loop(script, retry: .constant(.milliseconds(5)))
    loop?.add(1)
    scheduler.advance(toMilliseconds: 4)
    loop?.add(2)
    loop = nil
    scheduler.run()
    #expect(script.entries == ["[1] 0", "fail 10", "Failure() of [1] 10"])
    #expect(scheduler.pendingCount == 0)
  }

  @Test("L5: finish, stop and settle are flagged in the body, and take effect without waiting")
  func waitsInBody() {
    let log = Log()
    let relay = Guarded<BatchLoop<Int>?>(nil)
    let loop = BatchLoop<Int>(on: scheduler, keeping: .unlimited, misuse: misuses.handler) { batch in
      let loop = relay.withLock { $0 }
      log.add("\(Array(batch))")
      if batch.first == 1 {
        await loop?.settle()
        loop?.add(2)
        await loop?.finish()
        loop?.add(3)
      } else {
        await loop?.stop()
      }
    }
    _ = relay.exchange(loop)
    loop.add(1)
    scheduler.run()
    #expect(log.entries == ["[1]", "[2]"])
    #expect(misuses.kinds == [.waitedInsideRun, .waitedInsideRun, .waitedInsideRun])
    _ = relay.exchange(nil)
  }

  @Test("L5: a loop that its body releases ends after the run")
  func releaseInBody() {
    let log = Log()
    let relay = Guarded<BatchLoop<Int>?>(nil)
    _ = relay.exchange(
      BatchLoop<Int>(on: scheduler, keeping: .unlimited, retry: .constant(.zero)) { batch in
        log.add("\(Array(batch))")
        relay.withLock { $0 }?.add(2)
        _ = relay.exchange(nil)
        throw RefreshScript.Failure()
      } onError: { error, _ in
        log.add("\(error)")
      })
    relay.withLock { $0 }?.add(1)
    scheduler.run()
    #expect(log.entries == ["[1]", "Failure()"])
    #expect(scheduler.pendingCount == 0)
  }
}

import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L7 and L9: batch loops whose body is passed by a task.
struct BatchHostTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()

  private func loop(_ policy: CoalescingPolicy = .nextTurn, retry: Backoff = .never) -> BatchLoop<Int> {
    BatchLoop(on: scheduler, policy: policy, keeping: .newest(100), retry: retry, misuse: misuses.handler)
  }

  /// Starts a host. The host logs its end.
  @discardableResult private func host(
    _ loop: BatchLoop<Int>, _ script: RefreshScript, _ name: String = "left"
  ) -> Task<Void, Never> {
    Task(executorPreference: scheduler) {
      do {
        try await loop.run { try await script.body($0) }
        script.add(name)
      } catch {
        script.add("\(name) by \(error)")
      }
    }
  }

  @Test("L7: elements that are added before there is a host wait for a host", arguments: Policies.all)
  func additionBeforeHost(_ policy: CoalescingPolicy) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(policy)
    loop.add(contentsOf: [1, 2])
    scheduler.advance(by: .seconds(1))
    #expect(script.count == 0 && loop.isPending)
    let task = host(loop, script)
    scheduler.advance(by: .seconds(1))
    #expect(script.entries == ["[1, 2] 1000", "end 1010"])
    #expect(!loop.isPending)
    task.cancel()
    scheduler.run()
    #expect(script.entries.last == "left 2000")
  }

  @Test("L7: an element that is added after its host was cancelled stays for the next host", arguments: 0..<6)
  func additionAfterCancellation(_ yields: Int) throws {
    let batches = Log()
    let loop = loop()
    try scheduler.run {
      let host = Task {
        await loop.run {
          batches.add("\($0)")
        } onError: { _, _ in
        }
      }
      // The host is cancelled at each step of its beginning.
      for _ in 0..<yields { await Task.yield() }
      host.cancel()
      loop.add(1)
      await host.value
    }
    #expect(batches.entries == [] && loop.isPending)
  }

  @Test("L9: the batch of a cancelled host is the first batch of the next host")
  func cancelledHost() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop()
    let task = host(loop, script, "first")
    scheduler.at(0) { loop.add(1) }
    scheduler.at(3) { loop.add(2) }
    scheduler.at(4) { task.cancel() }
    scheduler.at(10) {
      #expect(loop.isPending)
      loop.add(3)
    }
    scheduler.at(20) { host(loop, script, "second") }
    scheduler.at(50) { Task(executorPreference: scheduler) { await loop.finish() } }
    scheduler.run()
    #expect(
      script.entries == [
        "[1] 0", "cancelled 4", "first 4", "[1, 2, 3] 20", "end 30", "second 50",
      ])
  }

  @Test("L9: a cancelled host that has nevertheless saved its batch does not return it to the loop")
  func cancelledHostSucceeds() {
    let script = RefreshScript(scheduler, [.stubborn(10)])
    let loop = loop()
    let task = host(loop, script)
    scheduler.at(0) { loop.add(1) }
    scheduler.at(4) { task.cancel() }
    scheduler.run()
    #expect(script.entries == ["[1] 0", "end 10", "left 10"])
    #expect(!loop.isPending)
  }

  @Test(
    "L8, L9: a cancelled host that fails with its own error returns its batch to the loop",
    arguments: [false, true])
  func cancelledHostFails(_ isRetried: Bool) {
    let fails = RefreshScript.Run(microseconds: 10_000, heedsCancellation: false, fails: true)
    let script = RefreshScript(scheduler, [fails, fails, .ms(1)])
    // The next host makes the next attempt without a wait.
    let loop = loop(retry: isRetried ? .constant(.seconds(1)) : .never)
    let first = host(loop, script, "first")
    scheduler.at(0) { loop.add(1) }
    scheduler.at(4) { first.cancel() }
    scheduler.at(20) {
      let second = Task(executorPreference: scheduler) {
        await loop.run {
          try await script.body($0)
        } onError: { error, batch in
          script.add("\(error) of \(Array(batch))")
        }
        script.add("second")
      }
      scheduler.at(24) { second.cancel() }
    }
    scheduler.at(40) { host(loop, script, "third") }
    scheduler.at(50) { Task(executorPreference: scheduler) { await loop.finish() } }
    scheduler.run()
    #expect(
      script.entries == [
        "[1] 0", "fail 10", "first by Failure() 10", "[1] 20", "fail 30", "Failure() of [1] 30", "second 30",
        "[1] 40", "end 41", "third 50",
      ])
  }

  @Test("L9: the batch of a host that throws is the first batch of the next host")
  func throwsError() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop()
    host(loop, script)
    scheduler.at(0) { loop.add(contentsOf: [1, 2]) }
    scheduler.at(5) { loop.add(3) }
    scheduler.advance(by: .milliseconds(15))
    #expect(script.entries == ["[1, 2] 0", "fail 10", "left by Failure() 10"])
    #expect(loop.isPending)
    let task = host(loop, script)
    scheduler.advance(by: .milliseconds(20))
    #expect(Array(script.entries.dropFirst(3)) == ["[1, 2, 3] 15", "end 25"])
    task.cancel()
    scheduler.run()
  }

  @Test("L8, L9: a host without onError continues while its batch is retried, and then throws")
  func retry() {
    let script = RefreshScript(scheduler, [.failing(1)])
    let loop = loop(retry: .custom { failures, _ in failures < 3 ? .milliseconds(10) : nil })
    host(loop, script)
    loop.add(1)
    scheduler.run()
    #expect(
      script.entries == [
        "[1] 0", "fail 1", "[1] 11", "fail 12", "[1] 22", "fail 23", "left by Failure() 23",
      ])
    // The next host starts a new count of failures.
    host(loop, script, "second")
    scheduler.run()
    #expect(script.entries.last == "second by Failure() 46" && script.count == 6)
    #expect(loop.isPending)
    loop.cancel()
    #expect(!loop.isPending)
  }

  @Test("L8, L9: a retry that waits when its host is cancelled is left for the next host")
  func retryWithoutHost() {
    let script = RefreshScript(scheduler, [.failing(1), .ms(1)])
    let loop = loop(retry: .constant(.milliseconds(10)))
    let task = host(loop, script)
    loop.add(1)
    scheduler.at(5) { task.cancel() }
    scheduler.at(30) { host(loop, script, "second") }
    scheduler.at(40) { Task(executorPreference: scheduler) { await loop.finish() } }
    scheduler.run()
    #expect(script.entries == ["[1] 0", "fail 1", "left 5", "[1] 30", "end 31", "second 40"])
  }

  @Test("L5, L9: a last attempt that fails ends its host and the loop, and its batch is dropped")
  func finishFails() {
    let script = RefreshScript(scheduler, [.failing(1), .failing(1), .ms(1)])
    let loop = loop(retry: .constant(.seconds(1)))
    host(loop, script)
    loop.add(1)
    scheduler.at(5) {
      Task(executorPreference: scheduler) {
        await loop.finish()
        script.add("finished")
      }
    }
    scheduler.run()
    #expect(
      script.entries == ["[1] 0", "fail 1", "[1] 5", "fail 6", "left by Failure() 6", "finished 6"]
        || script.entries == ["[1] 0", "fail 1", "[1] 5", "fail 6", "finished 6", "left by Failure() 6"])
    #expect(!loop.isPending)
    host(loop, script, "second")
    scheduler.run()
    #expect(Array(script.entries.dropFirst(6)) == ["second 6"])
  }

  @Test("L9: cancelRun drops the batch of a hosted run, and the host continues")
  func cancelRun() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop()
    let task = host(loop, script)
    scheduler.at(0) { loop.add(1) }
    scheduler.at(4) { loop.cancelRun() }
    scheduler.at(8) { loop.add(2) }
    scheduler.advance(by: .milliseconds(40))
    #expect(script.entries == ["[1] 0", "cancelled 4", "[2] 8", "end 18"])
    task.cancel()
    scheduler.run()
  }

  @Test("L5, L7: finish and stop end the host", arguments: [true, false])
  func ends(isFinished: Bool) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(.debounce(.milliseconds(50)))
    host(loop, script)
    scheduler.at(0) { loop.add(1) }
    scheduler.at(5) {
      Task(executorPreference: scheduler) {
        if isFinished { await loop.finish() } else { await loop.stop() }
        script.add("ended")
        loop.add(2)
      }
    }
    scheduler.run()
    if isFinished {
      #expect(script.entries.sorted() == ["[1] 5", "end 15", "ended 15", "left 15"])
    } else {
      #expect(script.entries.sorted() == ["ended 5", "left 5"])
    }
    #expect(scheduler.pendingCount == 0 && !loop.isPending)
  }

  @Test("L5: finish of a loop without a host returns, and the next host saves the elements")
  func finishWithoutHost() async {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop()
    loop.add(1)
    await loop.finish()
    loop.add(2)
    host(loop, script)
    scheduler.run()
    // The element that was added after the end is counted.
    #expect(script.entries == ["[1]-1 0", "end 10", "left 10"])
  }

  @Test("L7: a second host is flagged and returns, and so does a host of a loop with a body")
  func secondHost() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop()
    let task = host(loop, script, "first")
    scheduler.advance()
    host(loop, script, "second")
    let owned = BatchLoop<Int>(on: scheduler, keeping: .newest(1), misuse: misuses.handler) { _ in }
    host(owned, script, "third")
    scheduler.advance()
    #expect(script.entries == ["second 0", "third 0"])
    #expect(misuses.kinds == [.secondHost, .secondHost])
    task.cancel()
    scheduler.run()
  }

  @Test("L7: a loop released with elements and without a host stops no program, and is counted")
  func neverHosted() {
    let log = MonitorLog()
    withCoalescingMonitor(log) {
      var loop: BatchLoop<Int>? = loop()
      loop?.add(1)
      loop = nil
    }
    scheduler.run()
    #expect(misuses.kinds == [])
    #expect(log.entries.last == "ended 1" && log.faults == [])
  }

  @Test("L7: runs inherit the task-local values of the host")
  func inheritance() throws {
    let values = Log()
    let loop = loop()
    try scheduler.run {
      let task = Self.$name.withValue("host") {
        Task { await loop.run { _ in values.add(Self.name) } }
      }
      await Task.yield()
      Self.$name.withValue("addition") { loop.add(1) }
      await loop.settle()
      task.cancel()
    }
    #expect(values.entries == ["host"])
  }

  @TaskLocal private static var name: String = "none"
}

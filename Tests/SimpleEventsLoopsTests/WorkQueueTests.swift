import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// K4, K5: the guarantees of Kubernetes' `workqueue`, checked on a loop that has a number of workers.
struct WorkQueueTests {
  private let scheduler = TestScheduler()

  /// Returns a loop whose workers make the runs of a script, and record their end.
  private func queue(
    _ script: KeyedScript, workers: Int, retry: Backoff = .never
  ) -> KeyedRefreshLoop<String> {
    let queue = KeyedRefreshLoop<String>(on: scheduler, retry: retry)
    Task(executorPreference: scheduler) {
      await queue.run(maxConcurrentRuns: workers) {
        try await script.body($0)
      } onError: { _, _ in
      }
      script.add("left")
    }
    return queue
  }

  private func add(_ key: String, at milliseconds: Int..., to queue: KeyedRefreshLoop<String>) {
    for instant in milliseconds { scheduler.at(instant) { queue.request(key) } }
  }

  @Test("K4: fair: a key that is added during each of its runs does not delay the other keys")
  func fair() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let queue = queue(script, workers: 1)
    add("a", at: 0, 5, 17, 29, to: queue)
    for key in ["b", "c"] { add(key, at: 6, 18, 30, to: queue) }
    scheduler.run()
    #expect(
      script.starts.map { $0.prefix(1) }
        == ["a", "b", "c", "a", "b", "c", "a", "b", "c", "a"].map { $0[...] })
  }

  @Test("K4: stingy: a key that is added several times before its run is processed once")
  func stingy() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let queue = queue(script, workers: 1)
    add("a", at: 0, to: queue)
    add("b", at: 1, 2, 3, 4, to: queue)
    scheduler.run()
    #expect(script.starts == ["a start 0", "b start 10"])
  }

  @Test("K4: a key is not processed twice at the same time, though other workers are free")
  func exclusive() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let queue = queue(script, workers: 4)
    add("a", at: 0, 2, 4, to: queue)
    add("b", at: 3, to: queue)
    scheduler.run()
    #expect(script.starts == ["a start 0", "b start 3", "a start 10"])
    #expect(script.overlaps == 0)
  }

  @Test(
    "K5: shutting down drains the queue: earlier keys are processed, and later keys are ignored")
  func drain() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)], "b": [.ms(10)]])
    let queue = queue(script, workers: 2)
    for key in ["a", "b", "c"] { add(key, at: 0, to: queue) }
    add("a", at: 4, to: queue)
    scheduler.at(5) { queue.close() }
    add("d", at: 6, to: queue)
    add("b", at: 7, to: queue)
    scheduler.run()
    #expect(script.starts == ["a start 0", "b start 0", "c start 10", "a start 10"])
    #expect(script.entries.last == "left 20")
    #expect(queue.entryCount == 0)
  }

  @Test("K5: shutting down without draining drops the keys in line, and lets the runs in progress end")
  func shutDown() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let queue = queue(script, workers: 1)
    for key in ["a", "b"] { add(key, at: 0, to: queue) }
    scheduler.at(5) { [scheduler] in
      Task(executorPreference: scheduler) { await queue.stop() }
    }
    scheduler.run()
    #expect(script.entries == ["a start 0", "a end 10", "left 10"])
  }

  @Test("K4, L8: a failed key is added again at its own rate, and a success resets the rate")
  func rateLimited() {
    let script = KeyedScript(
      scheduler,
      [
        "a": [.failing(0), .failing(0), .failing(0), .failing(0), .ms(0), .failing(0), .ms(0)], "b": [.ms(0)],
      ])
    let queue = queue(
      script, workers: 2, retry: .exponential(initial: .milliseconds(5)).maximum(.milliseconds(20)))
    add("a", at: 0, 100, to: queue)
    add("b", at: 1, 30, to: queue)
    scheduler.run()
    #expect(
      script.starts == [
        "a start 0", "b start 1", "a start 5", "a start 15", "b start 30", "a start 35", "a start 55",
        "a start 100", "a start 105",
      ])
  }
}

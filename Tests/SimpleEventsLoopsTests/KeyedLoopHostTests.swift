import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// K5: the hosts of a keyed loop.
struct KeyedLoopHostTests: KeyedLoopSuite {
  let scheduler = TestScheduler()
  let misuses = MisuseLog()

  @Test("K5, L7: requests that are made before there is a host wait for a host", arguments: Policies.all)
  func requestBeforeHost(_ policy: CoalescingPolicy) {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let loop = hosted(policy)
    for key in ["a", "b", "c"] { loop.request(key) }
    scheduler.advance(by: .seconds(1))
    #expect(script.entries == [] && loop.pendingCount == 3)
    let task = host(loop, script)
    scheduler.advance(by: .seconds(1))
    #expect(script.starts == ["a start 1000", "b start 1000", "c start 1001"])
    #expect(loop.pendingCount == 0)
    task.cancel()
    scheduler.run()
    #expect(script.entries.last == "left 2000")
  }

  @Test("K5, L7: a cancelled host ends with its runs, and pending keys stay in order for the next host")
  func cancelledHost() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)], "b": [.stubborn(20)]])
    let loop = hosted()
    let task = host(loop, script)
    scheduler.at(0) { for key in ["a", "b", "c", "d"] { loop.request(key) } }
    scheduler.at(5) {
      loop.request("a")
      task.cancel()
    }
    scheduler.advance(by: .milliseconds(100))
    #expect(
      script.entries == ["a start 0", "b start 0", "a cancelled 5", "b end 20", "left 20"])
    #expect(loop.pendingCount == 3 && loop.runningCount == 0)
    let next = host(loop, script, limit: 1, "next")
    scheduler.advance(by: .milliseconds(100))
    #expect(script.starts.dropFirst(2) == ["c start 100", "d start 101", "a start 102"])
    next.cancel()
    scheduler.run()
  }

  @Test("K5: a key whose run has not begun when its host is cancelled stays first in line")
  func givenBack() {
    let script = KeyedScript(scheduler)
    let loop = hosted()
    let task = host(loop, script, limit: 1)
    scheduler.at(5) {
      for key in ["a", "b"] { loop.request(key) }
      task.cancel()
    }
    scheduler.advance(by: .milliseconds(10))
    #expect(script.entries == ["left 5"] && loop.pendingCount == 2)
    let next = host(loop, script, limit: 1, "next")
    scheduler.advance(by: .milliseconds(10))
    #expect(script.starts == ["a start 10", "b start 11"])
    next.cancel()
    scheduler.run()
  }

  @Test("K5, L4: the first error that is not retried ends a host, cancels its other runs and is thrown")
  func error() {
    let script = KeyedScript(scheduler, ["a": [.failing(5)], "b": [.ms(20)]])
    let loop = hosted()
    host(loop, script)
    scheduler.at(0) { for key in ["a", "b", "c"] { loop.request(key) } }
    scheduler.run()
    #expect(
      script.entries == ["a start 0", "b start 0", "a fail 5", "b cancelled 5", "left by Failure() 5"])
    #expect(loop.pendingCount == 1 && loop.isPending("c"))
  }

  @Test("K5, L4: the first error cancels the other runs of a host, even after the loop was stopped")
  func errorAfterStop() {
    let script = KeyedScript(scheduler, ["a": [.failing(10)], "b": [.ms(50)]])
    let loop = hosted()
    host(loop, script)
    scheduler.at(0) { for key in ["a", "b"] { loop.request(key) } }
    wait(at: 5, script, "stopped") { await loop.stop() }
    scheduler.run()
    #expect(script.entries.prefix(4) == ["a start 0", "b start 0", "a fail 10", "b cancelled 10"])
    #expect(script.entries.dropFirst(4).sorted() == ["left by Failure() 10", "stopped 10"])
  }

  @Test("K5, L8: an error that is retried does not end a host")
  func retriedError() {
    let script = KeyedScript(scheduler, ["a": [.failing(5), .ms(1)]])
    let loop = hosted(retry: .constant(.milliseconds(10)))
    host(loop, script)
    scheduler.at(0) { loop.request("a") }
    wait(at: 20, script, "finished") { await loop.finish() }
    scheduler.run()
    #expect(
      script.entries == ["a start 0", "a fail 5", "a start 15", "a end 16", "left 20", "finished 20"]
        || script.entries == ["a start 0", "a fail 5", "a start 15", "a end 16", "finished 20", "left 20"])
  }

  @Test("K5, L7: a second host is flagged and returns, and so does a host of a loop with a body")
  func secondHost() {
    let script = KeyedScript(scheduler)
    let loop = hosted()
    let first = host(loop, script, "first")
    scheduler.advance(by: .milliseconds(1))
    host(loop, script, "second")
    host(self.loop(script), script, "owned")
    scheduler.advance(by: .milliseconds(1))
    #expect(script.entries == ["second 1", "owned 1"])
    #expect(misuses.kinds == [.secondHost, .secondHost])
    first.cancel()
    scheduler.run()
  }

  @Test("K5: the cancellation of one run does not end the host")
  func cancelRun() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)], "b": [.ms(10)]])
    let loop = hosted()
    let task = host(loop, script)
    scheduler.at(0) { for key in ["a", "b"] { loop.request(key) } }
    scheduler.at(4) { loop.cancelRun("a") }
    scheduler.at(20) { loop.request("c") }
    scheduler.advance(by: .milliseconds(50))
    #expect(
      script.entries == ["a start 0", "b start 0", "a cancelled 4", "b end 10", "c start 20", "c end 21"])
    task.cancel()
    scheduler.run()
  }

  @Test("K5: a finished loop ends when the host of the last runs ends, even if that host is cancelled")
  func finishedHost() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let loop = hosted()
    let task = host(loop, script, limit: 1)
    scheduler.at(0) { for key in ["a", "b"] { loop.request(key) } }
    wait(at: 2, script, "finished") { await loop.finish() }
    scheduler.at(4) { task.cancel() }
    scheduler.run()
    #expect(Set(script.entries) == ["a start 0", "a cancelled 4", "left 4", "finished 4"])
    #expect(loop.pendingCount == 0 && loop.entryCount == 0)
  }
}

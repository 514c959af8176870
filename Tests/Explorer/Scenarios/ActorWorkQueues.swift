internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Two threads add work for an actor. The actor's jobs are turns of a concurrent queue.
let actorLine: Scenario = Scenario("actor-line", "S1") {
  let jobs = DispatchQueue(label: "jobs", attributes: .concurrent)
  // SAFETY: all fibers run on one thread.
  nonisolated(unsafe) let line = Line()
  nonisolated(unsafe) var order: [Int] = []
  nonisolated(unsafe) var isRunning = false

  func queueJob() {
    jobs.run { if line.line.drain(at: .medium) != nil { queueJob() } }
  }

  func add(_ number: Int) {
    let work: @Sendable () -> Void = {
      expectUnlocked()
      expect(!isRunning, "S1: one job at a time drains the line")
      isRunning = true
      order.append(number)
      step()
      isRunning = false
    }
    if line.line.add(work, at: .medium) != nil { queueJob() }
  }

  parallel(
    {
      add(10)
      add(11)
    },
    {
      add(20)
      add(21)
    })
  settle()
  expect(order.count == 4, "S1: all work runs, once")
  expect(
    order.filter { $0 < 20 } == [10, 11] && order.filter { $0 >= 20 } == [20, 21],
    "S1: work runs first in first out")
}

private final class Line {
  let line: ActorWorkQueue = ActorWorkQueue()
}

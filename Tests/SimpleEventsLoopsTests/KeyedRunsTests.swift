import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// K4: the tasks of a keyed loop. Here, they are turns of a scheduler.
struct KeyedRunsTests {
  let scheduler = TestScheduler()

  @Test("K4: a key that is requested during its run gets one more task", arguments: [1, 2, 8])
  func tasks(_ limit: Int) {
    let (tasks, begun) = (Log(), Log())
    let runs = KeyedRuns<String>(
      on: scheduler, policy: .nextTurn, DiagnosticSubject(KeyedRunsTests.self), limit: limit
    ) { [scheduler] runs, key, _ in
      tasks.add(key)
      scheduler.schedule {
        if case .run = runs.begin(key, LoopTask()) {
          begun.add(key)
          if begun.entries.count < 3 { runs.request(key) }
          runs.end(key, .succeeded)
        }
        runs.leave(key)
      }
    }
    runs.request("a")
    scheduler.run()
    #expect(begun.entries == ["a", "a", "a"])
    #expect(tasks.entries == ["a", "a", "a"])
    #expect(runs.keys.entryCount == 0)
  }
}

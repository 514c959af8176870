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
    let keys = KeyedRefreshLoop<String>(
      on: scheduler, policy: .nextTurn, DiagnosticSubject(KeyedRunsTests.self), limit: limit
    ) { [scheduler] runs, run, _ in
      let key = run.key(as: String.self)
      tasks.add(key)
      scheduler.schedule {
        if case .run = runs.begin(run, LoopTask()) {
          begun.add(key)
          if begun.entries.count < 3 { runs.request { run } }
          runs.end(run, .succeeded)
        }
        runs.leave(run)
      }
    }
    keys.request("a")
    scheduler.run()
    #expect(begun.entries == ["a", "a", "a"])
    #expect(tasks.entries == ["a", "a", "a"])
    #expect(keys.entryCount == 0)
  }
}
